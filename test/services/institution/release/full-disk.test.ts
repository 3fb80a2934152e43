import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import { capturedRun } from '../../cli/captured-run.js';
import { readOnly, smallDisk } from '../../mounted.js';
import { lengthsOf, notesOfDistinctLengths, outgoing, WORDS } from '../notes.js';
import {
  cacheOf,
  createPublisher,
  encodingModelOf,
  type Publisher,
  removePublisher,
} from '../publisher.js';
import { encodeKept } from './encode-kept.js';

const NOTES = notesOfDistinctLengths(40);
const DISK_BYTES = 2 ** 21;
const STEP_BYTES = 4096;

describe('where there is no room, or no right to write', () => {
  let publisher: Publisher;
  let model: EncodingModel;
  let root: string;
  const before = { ...process.env };
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    model = await encodingModelOf(publisher);
    root = await mkdtemp(join(tmpdir(), 'tacet-full-'));
    process.env.TACET_CACHE = cacheOf(publisher.root);
  });
  afterAll(async () => {
    process.env = before;
    model.representation.dispose();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  /** Leaves so many bytes. */
  const fill = (disk: string, left: number) => {
    const ballast = join(disk, 'ballast');
    rmSync(ballast, { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)));
  };

  test('encoding says that the disk is full, whatever it was about to write, and can be repeated', async () => {
    const disk = smallDisk(join(root, 'disk'), DISK_BYTES);
    if (!disk) return;
    try {
      const home = join(disk.directory, 'home');
      (await Ledger.openOrMake(home)).close();
      let refusals = 0;
      for (let left = 0; ; left += STEP_BYTES) {
        fill(disk.directory, left);
        const failure = await encodeKept(NOTES, model, home).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (!failure) break;
        refusals++;
        expect(failure).toMatchObject({
          code: 'disk-full',
          message: expect.not.stringContaining('backup'),
        });
      }
      expect(refusals).toBeGreaterThan(0);
      expect(lengthsOf(await outgoing(home))).toHaveLength(NOTES.length);
      expect(await encodeKept(NOTES, model, home)).toMatchObject({ released: 0 });
    } finally {
      disk.remove();
    }
  });

  test('a home is not made on a full disk, and the error says so', async () => {
    const disk = smallDisk(join(root, 'small'), 2 ** 16);
    if (!disk) return;
    try {
      fill(disk.directory, 0);
      await expect(encodeKept(NOTES, model, join(disk.directory, 'home'))).rejects.toMatchObject({
        code: 'disk-full',
      });
    } finally {
      disk.remove();
    }
  });

  test('commands say that a disk is full or read-only, without a stack trace', async () => {
    const notes = join(root, 'notes.jsonl');
    await writeFile(notes, NOTES.map((note) => JSON.stringify(note)).join('\n'));
    const source = await mkdtemp(join(root, 'source-'));
    (await Ledger.openOrMake(join(source, 'home'))).close();
    const full = smallDisk(join(root, 'no-room'), 2 ** 16);
    const closed = readOnly(source, join(root, 'closed'));
    if (!full || !closed) return;
    try {
      fill(full.directory, 0);
      const using = ['--embeddings', publisher.embeddingsFile, '--trust', publisher.publicKeyFile];
      const commands = (at: string) => [
        [
          'encode',
          notes,
          '--model',
          publisher.representation,
          ...using,
          '--new-home',
          join(at, 'n'),
        ],
        ['deidentify', notes, join(at, 'out'), '--model', publisher.pipeline, ...using],
        [
          'deidentify',
          notes,
          join(at, 'o.jsonl'),
          '--format',
          'jsonl',
          '--model',
          publisher.pipeline,
        ].concat(using),
        ['keys', 'create', join(at, 'keys')],
        ['corpus', 'convert', notes, join(at, 'converted'), '--to', 'brat'],
        ['corpus', 'generate', join(at, 'made'), '--documents', '2'],
      ];
      const expected = { 'disk-full': full.directory, 'file-unwritable': closed.directory };
      for (const [code, at] of Object.entries(expected)) {
        for (const command of commands(at)) {
          const { exit, stderr } = await capturedRun(...command);
          expect([command[0], exit, stderr]).toEqual([
            command[0],
            1,
            expect.stringContaining(`tacet: ${code}: `),
          ]);
          expect(stderr).not.toMatch(/^\s+at /m);
        }
      }
      const home = join(closed.directory, 'home');
      const pool = ['--pool', 'http://127.0.0.1:9', '--key', publisher.privateKeyFile];
      expect(await capturedRun('contribute', '--home', home, ...pool)).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('file-unwritable'),
      });
    } finally {
      full.remove();
      closed.remove();
    }
  });
});
