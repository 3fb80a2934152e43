import { describe, expect, test } from '@jest/globals';
import { pairDocuments } from '../../../models/evaluation/pair-documents.js';
import type { Document } from '../../../models/text/document.js';

async function* stream(...ids: string[]): AsyncGenerator<Document> {
  for (const id of ids) yield { id, text: '', spans: [] };
}

describe('pairing documents', () => {
  test('goes by id, in the order of the gold documents', async () => {
    const { pairs, extra } = await pairDocuments(stream('b', 'a'), stream('a', 'c', 'b'));
    expect(pairs.map(({ gold, system }) => [gold.id, system.id])).toEqual([
      ['b', 'b'],
      ['a', 'a'],
    ]);
    expect(extra).toBe(1);
  });

  test('names gold documents that the system lacks, the first five of them', async () => {
    await expect(pairDocuments(stream('a', 'b', 'c'), stream('b'))).rejects.toThrow(
      '2 of 3 gold documents have no system document of the same id: a, c',
    );
    await expect(
      pairDocuments(stream('1', '2', '3', '4', '5', '6', '7'), stream()),
    ).rejects.toThrow(/: 1, 2, 3, 4, 5 and 2 more$/);
  });

  test('refuses an id that occurs twice', async () => {
    await expect(pairDocuments(stream('a'), stream('a', 'a'))).rejects.toThrow(
      'two system documents have the id a',
    );
  });
});
