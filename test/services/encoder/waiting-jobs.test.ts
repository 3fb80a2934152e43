import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { TacetError } from '../../../proto/errors.js';
import type { EncoderService } from '../../../services/encoder/encoder-service.js';
import { endlessEncoder } from './endless-models.js';

const MOST_WAITING = 64;
let home: string;
let service: EncoderService;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'tacet-waiting-'));
  service = await endlessEncoder(home);
});
afterEach(async () => {
  await service.close();
  await rm(home, { recursive: true });
});

const codeOf = (sent: Promise<unknown>) =>
  sent.then(
    () => undefined,
    ({ code }: TacetError) => code,
  );

test('no more jobs wait than may, also of those that come at once', async () => {
  const sent = Array.from({ length: 100 }, () => codeOf(service.encodeDocuments([])));
  const codes = await Promise.all(sent);
  expect(codes.filter((code) => code === undefined)).toHaveLength(MOST_WAITING);
  expect(codes.filter((code) => code === 'store-busy')).toHaveLength(100 - MOST_WAITING);
});

test('a job whose record cannot be written takes no place among those that wait', async () => {
  await rm(join(home, 'jobs'), { recursive: true });
  await writeFile(join(home, 'jobs'), '');
  for (let i = 0; i < MOST_WAITING; i++)
    await expect(service.encodeDocuments([])).rejects.toThrow();
  expect(await codeOf(service.encodeDocuments([]))).not.toBe('store-busy');
});
