import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { convertedPath, openEmbeddings } from '../../../models/embeddings/open.js';
import { ROOT, testWithData } from '../../shared-data.js';

const TINY = join(ROOT, 'test/models/embeddings/fixtures/tiny.bin');
const TEXT = '2 3\nana 1 2 3\nñandú 4 5 6\n';

let cacheDir: string;
let source: string;
beforeEach(() => {
  cacheDir = mkdtempSync(join(tmpdir(), 'tacet-cache-'));
  source = join(cacheDir, 'source');
  writeFileSync(source, TEXT);
});
afterEach(() => rmSync(cacheDir, { recursive: true }));

function content({ identity, dimension, words, matrix }: Embeddings) {
  return { identity, dimension, words, matrix };
}

describe('openEmbeddings', () => {
  test('tells the formats apart by their content', async () => {
    expect((await openEmbeddings(source, { cacheDir })).words).toEqual(['ana', 'ñandú']);
    writeFileSync(source, '{ 1 2\n} 3 4\n');
    expect((await openEmbeddings(source, { cacheDir })).words).toEqual(['{', '}']);
    writeFileSync(source, '{"size":1,"dimensions":2,"vectors":{"ana":[1,2,2.2,0]}}');
    expect((await openEmbeddings(source, { cacheDir })).words).toEqual(['ana']);
    copyFileSync(TINY, source);
    expect((await openEmbeddings(source, { cacheDir })).words).toHaveLength(16);
  });

  test('gives the same from the source and from the cache, subwords included', async () => {
    const cold = await openEmbeddings(TINY, { cacheDir });
    const warm = await openEmbeddings(TINY, { cacheDir });
    expect(content(warm)).toEqual(content(cold));
    expect(warm.hasSubwords).toBe(true);
    for (const word of ['maría', 'ñandú', '日本語'])
      expect(warm.subwordVector(word)).toEqual(cold.subwordVector(word));
  });

  test('reads a known source from the cache alone', async () => {
    const { identity } = await openEmbeddings(source, { cacheDir });
    const file = convertedPath(identity, cacheDir);
    const bytes = readFileSync(file);
    bytes.writeFloatLE(42, bytes.length - 4);
    writeFileSync(file, bytes);
    expect((await openEmbeddings(source, { cacheDir })).matrix.at(-1)).toBe(42);
  });

  test('names a source by its content, wherever it stands', async () => {
    const first = await openEmbeddings(source, { cacheDir });
    const copy = join(cacheDir, 'copy');
    copyFileSync(source, copy);
    expect((await openEmbeddings(copy, { cacheDir })).identity).toBe(first.identity);
    writeFileSync(source, TEXT.replace('6', '7'));
    const changed = await openEmbeddings(source, { cacheDir });
    expect(changed.identity).not.toBe(first.identity);
    expect(changed.matrix.at(-1)).toBe(7);
  });

  test.each<[string, (file: string) => void]>([
    ['is cut off', (file) => truncateSync(file, statSync(file).size - 4)],
    ['is empty', (file) => truncateSync(file, 0)],
    ['is longer', (file) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.of(0)]))],
    ['is foreign', (file) => writeFileSync(file, 'something else altogether')],
    ['holds other words', (file) => writeFileSync(file, replaced(file, 'ana', 'eva'))],
    [
      'is of another source',
      (file) => writeFileSync(file, replaced(file, '"identity":"', '"identity":"f')),
    ],
  ])('converts again where the converted file %s', async (_, damage) => {
    const first = await openEmbeddings(source, { cacheDir });
    damage(convertedPath(first.identity, cacheDir));
    expect(content(await openEmbeddings(source, { cacheDir }))).toEqual(content(first));
    expect(content(await openEmbeddings(source, { cacheDir }))).toEqual(content(first));
  });

  test.each([
    ['converted file', (folder: string, identity: string) => join(folder, `${identity}.matrix`)],
    [
      'remembered digest',
      (folder: string) => join(folder, 'sources', String(readdirSync(join(folder, 'sources'))[0])),
    ],
  ])('does not convert anew where a %s is there and cannot be read', async (_, fileIn) => {
    const { identity } = await openEmbeddings(source, { cacheDir });
    const file = fileIn(join(cacheDir, 'embeddings'), identity);
    rmSync(file);
    mkdirSync(file);
    await expect(openEmbeddings(source, { cacheDir })).rejects.toMatchObject({
      code: 'file-unreadable',
      message: expect.stringContaining(file),
    });
  });

  test('leaves no partial file behind', async () => {
    const { identity } = await openEmbeddings(source, { cacheDir });
    writeFileSync(source, '2 3\nana 1 2 3\n');
    await expect(openEmbeddings(source, { cacheDir })).rejects.toMatchObject({
      code: 'embeddings-invalid',
    });
    expect(readdirSync(join(cacheDir, 'embeddings')).sort()).toEqual(
      [`${identity}.matrix`, 'sources'].sort(),
    );
  });

  test('says which cache directory cannot be written', async () => {
    const file = join(cacheDir, 'file');
    writeFileSync(file, '');
    await expect(openEmbeddings(source, { cacheDir: file })).rejects.toMatchObject({
      code: 'file-unwritable',
      message: expect.stringContaining('TACET_CACHE'),
    });
  });

  test('refuses a missing file and a directory', async () => {
    await expect(openEmbeddings(join(cacheDir, 'absent'), { cacheDir })).rejects.toMatchObject({
      code: 'file-not-found',
    });
    mkdirSync(join(cacheDir, 'directory'));
    await expect(openEmbeddings(join(cacheDir, 'directory'), { cacheDir })).rejects.toMatchObject({
      code: 'file-unreadable',
    });
  });

  testWithData('gives es.vec the words of es.bin', 'embeddings/es.vec', async (path) => {
    const text = await openEmbeddings(path, { cacheDir });
    const model = await openEmbeddings(path.replace(/vec$/, 'bin'), { cacheDir });
    expect(text.words).toEqual(model.words);
    for (let i = 0; i < text.matrix.length; i += 997)
      expect(Number(model.matrix[i]?.toPrecision(5))).toBeCloseTo(text.matrix[i] as number, 5);
  });
});

function replaced(file: string, from: string, to: string): Buffer {
  return Buffer.from(readFileSync(file).toString('latin1').replace(from, to), 'latin1');
}
