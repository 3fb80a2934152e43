import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { backupStore } from '../../pool-store/copies/backup.js';
import { openServedStore } from '../../pool-store/served-store.js';
import { requireStoreOrNothing } from '../../pool-store/store-folder.js';
import { openStore } from './opened-store.js';

const conflict = (message: RegExp) =>
  expect.objectContaining({ code: 'conflict', message: expect.stringMatching(message) });

let root: string;
const at = (...names: string[]) => join(root, ...names);
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tacet-store-folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the folder of a store', () => {
  test('is not one with other files, in which nothing is made', async () => {
    writeFileSync(at('note.txt'), 'Seen.');
    await expect(openServedStore(root, { cacheBytes: 1 })).rejects.toEqual(
      conflict(/holds 1 other files and no store; .* an empty or new one/),
    );
    const throughMissing = `${root}/missing/../`;
    await expect(openServedStore(throughMissing, { cacheBytes: 1 })).rejects.toEqual(
      conflict(/holds 1 other files and no store/),
    );
    expect(readdirSync(root)).toEqual(['note.txt']);
  });

  test('is no file', () => {
    writeFileSync(at('note.txt'), 'Seen.');
    expect(() => requireStoreOrNothing(at('note.txt'))).toThrow(
      conflict(/note\.txt: is a file; .* an empty or new one/),
    );
  });

  test.each([
    ['is not there', []],
    ['is empty but for hidden files and those of the disk', ['.keep', 'lost+found']],
    ['holds a store, whatever else', ['catalog.db', 'note.txt']],
    ['holds what is left of a store', ['blobs', 'note.txt']],
  ])('may be one that %s', (_, names) => {
    const folder = at('folder');
    if (names.length > 0) mkdirSync(folder);
    for (const name of names) writeFileSync(join(folder, name), '');
    expect(() => requireStoreOrNothing(folder)).not.toThrow();
  });

  test('takes no backup of itself', async () => {
    const store = await openStore(at('store'));
    symlinkSync(at('store', 'blobs'), at('link'));
    try {
      for (const inside of [at('store'), at('store', 'new', 'backup'), at('link'), at('link', 'b')])
        await expect(backupStore(store, inside)).rejects.toEqual(conflict(/lies in the store/));
      expect(readdirSync(at('store', 'blobs'))).toEqual([]);
      await backupStore(store, at('store-backup'));
    } finally {
      await store.close();
    }
  });
});
