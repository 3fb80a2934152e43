import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type HashedSentence,
  SentenceTable,
} from '../../../../../services/institution/release/sentences/sentence-table.js';

const MENTION = { words: ['ana'], type: 1, start: 0, tokens: [0], whole: [0] };

const sentences = fc.array(
  fc
    .record({
      name: fc.integer({ min: 0, max: 40 }),
      rows: fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
      isNamed: fc.boolean(),
      document: fc.nat(9),
      isReleased: fc.boolean(),
    })
    .map(
      ({ name, rows, isNamed, ...origin }): HashedSentence => ({
        ...origin,
        rows: Int32Array.from(rows),
        labels: Uint8Array.from(rows, (row) => row % 5),
        mentions: isNamed ? [MENTION] : [],
        hash: createHash('sha256').update(`${name}`).digest(),
        alike: createHash('sha256').update(`${rows}`).digest(),
      }),
    ),
  { maxLength: 60 },
);

const plain = (each: Iterable<HashedSentence>) =>
  Array.from(each, (one) => ({ ...one, hash: one.hash.toString('hex') }));

function tableOf(each: Iterable<HashedSentence>, table = new SentenceTable()): SentenceTable {
  for (const sentence of each) table.add(sentence);
  return table;
}

describe('a table of sentences', () => {
  test('gives back what was added, and counts the copies of each', () => {
    fc.assert(
      fc.property(sentences, (all) => {
        const table = tableOf(all);
        expect(plain(table)).toEqual(plain(all));
        for (const { hash } of all)
          expect(table.copiesOf(hash)).toBe(all.filter((one) => one.hash.equals(hash)).length);
        expect(table.copiesOf(createHash('sha256').update('none').digest())).toBe(0);
      }),
    );
  });

  test('keeps those that are wanted, in their order, and takes more', () => {
    fc.assert(
      fc.property(sentences, sentences, (all, more) => {
        const isWanted = (hash: Buffer) => hash.readUInt8() % 2 === 0;
        const table = tableOf(all);
        table.keep(isWanted);
        tableOf(more, table);
        const kept = [...all.filter(({ hash }) => isWanted(hash)), ...more];
        expect(plain(table)).toEqual(plain(kept));
        for (const { hash } of kept)
          expect(table.copiesOf(hash)).toBe(kept.filter((one) => one.hash.equals(hash)).length);
      }),
    );
  });

  test('is as new once it was cleared', () => {
    fc.assert(
      fc.property(sentences, sentences, (before, after) => {
        const table = tableOf(before);
        table.clear();
        expect(plain(tableOf(after, table))).toEqual(plain(after));
      }),
    );
  });

  test('grows as far as it must', () => {
    const many = Array.from({ length: 5000 }, (_, i) => {
      const column = Uint8Array.from({ length: 1 + (i % 9) }, () => i % 7);
      const hash = createHash('sha256').update(`${i}`).digest();
      const rows = Int32Array.from(column);
      const origin = { document: i, isReleased: i % 2 === 0 };
      return { rows, labels: column, mentions: [], hash, alike: hash, ...origin };
    });
    const table = tableOf(many);
    expect(plain(table)).toEqual(plain(many));
    expect(many.every(({ hash }) => table.copiesOf(hash) === 1)).toBe(true);
  });
});
