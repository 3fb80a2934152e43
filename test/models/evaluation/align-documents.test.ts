import { describe, expect, test } from '@jest/globals';
import { alignDocuments, documentIds } from '../../../models/evaluation/align-documents.js';
import type { Document } from '../../../models/text/document.js';

async function* stream(...ids: string[]): AsyncGenerator<Document> {
  for (const id of ids) yield { id, text: '', spans: [] };
}

async function align(gold: string[], ...systems: string[][]) {
  const found: string[][] = [];
  let extra = 0;
  const sources = systems.map((ids) => stream(...ids));
  const ids = await documentIds(stream(...gold));
  for await (const aligned of alignDocuments(stream(...gold), sources, ids, () => extra++))
    found.push([aligned.gold.id, ...aligned.systems.map(({ id }) => id)]);
  return { found, extra };
}

describe('aligning documents', () => {
  test('goes by id, whatever the order, and counts what nobody annotated', async () => {
    const { found, extra } = await align(['b', 'a'], ['a', 'c', 'b'], ['b', 'a']);
    expect(found.sort()).toEqual([
      ['a', 'a', 'a'],
      ['b', 'b', 'b'],
    ]);
    expect(extra).toBe(1);
  });

  test('numbers documents as the gold standard does, whatever the order', async () => {
    const ids = new Set(['b', 'a']);
    const numbers: Record<string, number> = {};
    for await (const { gold, number } of alignDocuments(stream('b', 'a'), [stream('a', 'b')], ids))
      numbers[gold.id] = number;
    expect(numbers).toEqual({ b: 1, a: 2 });
  });

  test('holds no document that has its partners', async () => {
    let ahead = 0;
    async function* counted(): AsyncGenerator<Document> {
      for (let at = 0; at < 50; at++) {
        ahead++;
        yield { id: String(at), text: '', spans: [] };
      }
    }
    const ids = new Set(Array.from({ length: 50 }, (_, at) => String(at)));
    let most = 0;
    for await (const _ of alignDocuments(counted(), [counted(), counted()], ids)) {
      most = Math.max(most, ahead);
      ahead = 0;
    }
    expect(most).toBe(3);
  });

  test('tells gold documents that a system lacks, the first five of them, and not by their ids', async () => {
    await expect(align(['a', 'b', 'c'], ['b'])).rejects.toThrow(
      '2 of 3 gold documents have no system document of the same id: 1, 3 in the order',
    );
    await expect(align(['1', '2', '3', '4', '5', '6', '7'], [])).rejects.toThrow(
      /: 1, 2, 3, 4, 5 and 2 more in the order of the gold standard$/,
    );
    await expect(align(['a'], ['a'], [])).rejects.toThrow('1 of 1 gold documents');
  });

  test('refuses an id that occurs twice', async () => {
    await expect(align(['a'], ['a', 'a'])).rejects.toThrow(
      'system document 2 has the id of document 1; expected',
    );
    await expect(align(['a', 'a'], ['a'])).rejects.toThrow(
      'gold document 2 has the id of document 1; expected',
    );
  });
});
