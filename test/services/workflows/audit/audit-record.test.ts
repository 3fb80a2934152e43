import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AuditRecord,
  begunRecord,
  digestOfWeights,
} from '../../../../services/workflows/audit/audit-record.js';

const RECORD: AuditRecord = {
  model: 'ab',
  seed: 1,
  neighbours: 50,
  epochs: null,
  as: null,
  continued: true,
  adversary: 'weights',
  notes: 'notes',
  members: null,
  institutions: 'origins',
  released: 7,
  releases: 'releases',
};

describe('the record of an audit', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'tacet-audit-record-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  const begun = async (kept: object, record: AuditRecord) => {
    await writeFile(path.join(root, 'config.json'), JSON.stringify(kept));
    return begunRecord(root, record);
  };

  test('is this one where no audit was begun', async () => {
    expect(await begunRecord(path.join(root, 'none'), RECORD)).toEqual(RECORD);
  });

  test.each<[Partial<AuditRecord>, string]>([
    [{ releases: 'others' }, '--segments'],
    [{ adversary: 'others' }, '--run'],
    [{ institutions: null }, '--institutions'],
    [{ seed: 2, notes: 'others' }, '--seed, --corpus'],
    [{ membersLeftOut: 3 }, '--members'],
  ])('with other %j is refused by the name of its option', async (change, option) => {
    await expect(begun(RECORD, { ...RECORD, ...change })).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringContaining(`begun with other ${option}`),
    });
  });

  test('of an earlier version goes on, whatever its minutes, but not with releases', async () => {
    const { adversary, institutions, releases, ...rest } = RECORD;
    const older = { ...rest, released: null, minutes: 10 };
    expect(await begun(older, { ...RECORD, released: null, releases: null })).toEqual(older);
    await expect(begun({ ...rest, minutes: 10 }, RECORD)).rejects.toMatchObject({
      message: expect.stringContaining('--segments'),
    });
    await expect(
      begun(older, { ...RECORD, released: null, releases: null, seed: 2 }),
    ).rejects.toThrow();
  });

  test('names a file that is no record', async () => {
    await writeFile(path.join(root, 'config.json'), '{"model":');
    await expect(begunRecord(root, RECORD)).rejects.toMatchObject({
      code: 'checkpoint-invalid',
      message: expect.stringContaining('config.json'),
    });
  });
});

test('weights have one digest exactly where names, shapes and numbers agree', () => {
  const data = Float32Array.of(1, 2);
  const digest = digestOfWeights({ a: { shape: [2], data }, b: { shape: [2], data } });
  expect(digestOfWeights({ b: { shape: [2], data }, a: { shape: [2], data } })).toBe(digest);
  const other = { shape: [2], data: Float32Array.of(1, 3) };
  expect(digestOfWeights({ a: { shape: [2], data }, b: other })).not.toBe(digest);
});
