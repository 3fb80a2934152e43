import { mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { stateFolder } from '../../../../../platform/user-folders.js';
import type { EncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../../services/institution/release/encode.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import { encodeWhole } from '../encode-whole.js';
import { inNewHomes } from '../in-new-homes.js';

const NOTES = [{ id: 'one', text: 'Seen alpha beta.', spans: [] }];

describe('the home of a first job that is refused', () => {
  let model: EncodingModel;
  let home: string;
  inNewHomes((setting) => {
    ({ model, home } = setting);
  });
  // Other tests remember ledgers in theirs.
  const state = process.env.XDG_STATE_HOME;
  beforeEach(() => {
    process.env.XDG_STATE_HOME = `${home}-state`;
  });
  afterAll(() => {
    process.env.XDG_STATE_HOME = state;
  });
  const refused = async (directory: string) =>
    expect(encode(NOTES, model, directory, { labelDocuments: 2 })).rejects.toMatchObject({
      code: 'documents-too-few',
    });

  test('is gone, with the folders that were made for it, and can be made anew', async () => {
    const inner = join(home, 'folder', 'home');
    await refused(inner);
    await expect(stat(home)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(dirname(home))).not.toContain(basename(home));
    expect(await readdir(join(stateFolder(), 'ledgers'))).toEqual([]);
    expect(await encodeWhole(NOTES, model, inner)).toMatchObject({ released: 1 });
  });

  test('stays as it was where it was there before', async () => {
    await mkdir(home);
    await refused(home);
    expect(await readdir(home)).toEqual([]);
    await encodeWhole([], model, home);
    await refused(home);
    expect(await readdir(home)).toContain('ledger.db');
  });

  test('stays where anybody else has it open', async () => {
    let other: Ledger | undefined;
    const read = async function* () {
      other = await Ledger.open(home);
      yield* NOTES;
    };
    await expect(encode(read, model, home, { labelDocuments: 2 })).rejects.toMatchObject({
      code: 'documents-too-few',
    });
    other?.close();
    expect(await encodeWhole(NOTES, model, home)).toMatchObject({ ledger: other?.id });
  });

  test('stays where something left before the job was stopped', async () => {
    const controller = new AbortController();
    const options = {
      ...{ segmentBytes: 1, signal: controller.signal },
      progress: ({ step }: { readonly step: string }) =>
        step === 'encode' && controller.abort(new Error('stopped')),
    };
    const two = [...NOTES, { id: 'two', text: 'Seen gamma.', spans: [] }];
    await expect(encodeWhole(two, model, home, options)).rejects.toThrow('stopped');
    expect(await encodeWhole(two, model, home)).toMatchObject({ released: 1, skipped: 1 });
  });
});
