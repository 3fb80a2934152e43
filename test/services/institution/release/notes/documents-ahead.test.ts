import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../../../../models/text/document.js';
import { DocumentsAhead } from '../../../../../services/institution/release/notes/documents-ahead.js';

const document = (id: number, text = 'Seen.'): Document => ({ id: `${id}`, text, spans: [] });

async function idsOf(documents: AsyncIterable<Document>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of documents) ids.push(id);
  return ids;
}

describe('documents ahead', () => {
  test('are read before anyone asks, and come whole and in order', async () => {
    let read = 0;
    async function* source() {
      for (; read < 5; read++) yield document(read);
    }
    const ahead = new DocumentsAhead(source());
    await delay(0);
    expect(read).toBe(5);
    expect(await idsOf(ahead)).toEqual(['0', '1', '2', '3', '4']);
  });

  test('are held up to some characters, and read on once they are asked for', async () => {
    let read = 0;
    async function* source() {
      for (; read < 9; read++) yield document(read, 'a'.repeat(2 ** 20));
    }
    const ahead = new DocumentsAhead(source());
    await delay(0);
    expect(read).toBeLessThan(5);
    expect(await idsOf(ahead)).toHaveLength(9);
  });

  test('tell whoever asks what was wrong, and nobody else', async () => {
    async function* source() {
      yield document(1);
      throw new Error('bad note');
    }
    const [asked, unasked] = [new DocumentsAhead(source()), new DocumentsAhead(source())];
    await delay(0);
    await expect(idsOf(asked)).rejects.toThrow('bad note');
    await unasked.close();
  });

  test('are read no further once they are closed', async () => {
    let ended = false;
    let read = 0;
    async function* source() {
      try {
        for (;;) {
          read++;
          yield document(read);
          await delay(0);
        }
      } finally {
        ended = true;
      }
    }
    const ahead = new DocumentsAhead(source());
    await ahead.close();
    expect([ended, read]).toEqual([true, expect.any(Number)]);
    const before = read;
    await delay(5);
    expect(read).toBe(before);
  });
});
