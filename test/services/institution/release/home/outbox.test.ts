import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Outbox } from '../../../../../services/institution/release/home/outbox.js';

const bytes = Buffer.from('a segment');
const digest = createHash('sha256').update(bytes).digest('hex');

describe('the outbox', () => {
  let home: string;
  let outbox: Outbox;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'tacet-outbox-'));
    outbox = await Outbox.open(home);
  });
  afterEach(() => rm(home, { recursive: true }));

  test('gives back the bytes that it was given, by their digest', async () => {
    expect(await outbox.add(bytes)).toBe(digest);
    expect(await outbox.read(digest)).toEqual(bytes);
    expect(await readFile(join(home, 'outbox', `${digest}.segment`))).toEqual(bytes);
  });

  test('refuses a segment that changed on the disk, or is gone', async () => {
    await outbox.add(bytes);
    await writeFile(join(home, 'outbox', `${digest}.segment`), 'another segment');
    await expect(outbox.read(digest)).rejects.toMatchObject({ code: 'digest-mismatch' });
    await outbox.remove(digest);
    await expect(outbox.read(digest)).rejects.toMatchObject({ code: 'file-not-found' });
  });

  test('sweeps segments that the ledger does not know and files half written', async () => {
    await outbox.add(bytes);
    await outbox.add(Buffer.from('an orphan'));
    await writeFile(join(home, 'outbox', 'half.partial'), 'an');
    await outbox.sweep(new Set([digest]));
    expect(await readdir(join(home, 'outbox'))).toEqual([`${digest}.segment`]);
  });
});
