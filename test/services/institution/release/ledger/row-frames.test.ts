import { createHmac } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { typeOfLabel } from '../../../../../models/certification/entity.js';
import {
  framed,
  LedgerKey,
} from '../../../../../services/institution/release/ledger/ledger-key.js';
import { RowFrames } from '../../../../../services/institution/release/ledger/row-frames.js';

/** Of many sizes, so that memory grows between them. */
const WORDS = Array.from({ length: 9000 }, (_, i) => `w:ñandú${i}${'x'.repeat(i % 50)}`);

let home: string;
let key: LedgerKey;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'tacet-row-frames-'));
  key = await LedgerKey.create(home);
  await LedgerKey.settle(home);
});
afterAll(() => rm(home, { recursive: true }));

function framesOf(words: readonly string[]): RowFrames {
  const frames = new RowFrames();
  for (const word of words) frames.add(framed(word));
  return frames;
}

test('hash as the words do', () => {
  const frames = framesOf(WORDS);
  expect(frames.size).toBe(WORDS.length);
  const sentence = fc.array(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 128 });
  fc.assert(
    fc.property(sentence, (rows) => {
      const hash = key.hashFramedRows(frames, frames.placesOf(Int32Array.from(rows)));
      expect(hash).toEqual(key.hashSentence(rows.map((row) => WORDS[row] as string)));
    }),
  );
});

test('with entities masked, hash as the other words do, and as no entity and no type does', async () => {
  const frames = framesOf(['w:don', 'w:ana', 'w:garcía', 'w:acude', 'w:lugo']);
  const secret = await readFile(join(home, 'ledger.key'));
  const labels = Uint8Array.of(0, 1, 2, 0, 3);
  const masked = (...rows: number[]) =>
    key.hashMasked(frames, frames.maskedPlacesOf(Int32Array.from(rows), labels));
  const text = `masked 4${framed('w:don')} entity${framed('w:acude')} entity`;
  expect(masked(0, 1, 2, 3, 4)).toEqual(createHmac('sha256', secret).update(text).digest());
  expect(masked(0, 4, 4, 3, 1)).toEqual(masked(0, 1, 2, 3, 4));
  expect(masked(3, 1, 2, 0, 4)).not.toEqual(masked(0, 1, 2, 3, 4));
});

test('forget their rows, and take others', () => {
  const frames = framesOf(['w:ana']);
  frames.clear();
  expect(frames.size).toBe(0);
  frames.add(framed('w:lugo'));
  const hash = key.hashFramedRows(frames, frames.placesOf(Int32Array.of(0)));
  expect(hash).toEqual(key.hashSentence(['w:lugo']));
});

test('with entities masked by type, hash as earlier versions did', async () => {
  const frames = framesOf(['w:don', 'w:ana', 'w:acude']);
  const secret = await readFile(join(home, 'ledger.key'));
  const labels = Uint8Array.of(0, 1, 2, 0, 3);
  const places = frames.maskedPlacesOf(Int32Array.of(0, 1, 1, 2, 1), labels, typeOfLabel);
  const text = `masked 4${framed('w:don')} type 1${framed('w:acude')} type 2`;
  expect(key.hashMasked(frames, places)).toEqual(
    createHmac('sha256', secret).update(text).digest(),
  );
});
