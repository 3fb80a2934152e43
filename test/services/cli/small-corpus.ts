import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { generateNotes } from '../../../models/synthetic/generate-notes.js';
import { Random } from '../../../models/tensor/random.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { tokenise } from '../../../models/text/tokeniser.js';

const DIMENSION = 16;

/** Small enough to train in seconds; far too small to be good. */
export const SMALL_CONFIG = {
  neighbours: 5,
  representation: { units: 12, dimension: 8 },
  deidentifier: { units: 12, layers: 1 },
  adversary: { units: 6 },
  learner: { learningRate: 0.01, clipNorm: 1 },
  P1: { maxEpochs: 2 },
  P2: { maxEpochs: 1 },
  P3: { maxEpochs: 1 },
  certified: { maxEpochs: 2, warmupEpochs: 1 },
  dann: { maxEpochs: 2, warmupEpochs: 1 },
  supervised: { maxEpochs: 2 },
  audit: { maxEpochs: 2 },
};

/** A new folder with `notes/`, vectors of their words in `words.vec`, and `config.json`. */
export async function smallCorpus(prefix: string, documents = 36): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), prefix));
  const notes = [...generateNotes({ seed: 7, documents, institutions: 4 })];
  await writeCorpus(notes, path.join(folder, 'notes'), 'i2b2');
  await writeFile(path.join(folder, 'words.vec'), vectorsOf(notes));
  await writeFile(path.join(folder, 'config.json'), JSON.stringify(SMALL_CONFIG));
  return folder;
}

/** The folder of a `smallCorpus` for the tests of a block; filled in before the first of them. */
export interface CorpusSite {
  folder: string;
  /** A path in it. */
  at(name: string): string;
}

/**
 * A `smallCorpus` of so many documents for the tests of the block around the call, the first `unseen` of
 * which lie in a folder of that name, and a cache of its own. Afterwards both are gone.
 */
export function corpusSite(documents: number, unseen = 0): CorpusSite {
  const before = process.env.TACET_CACHE;
  const site = { folder: '', at: (name: string) => path.join(site.folder, name) };
  beforeAll(async () => {
    site.folder = await smallCorpus('tacet-corpus-', documents);
    process.env.TACET_CACHE = site.at('cache');
    await mkdir(site.at('unseen'));
    for (const note of (await readdir(site.at('notes'))).sort().slice(0, unseen))
      await rename(site.at(`notes/${note}`), site.at(`unseen/${note}`));
  });
  afterAll(async () => {
    if (before === undefined) delete process.env.TACET_CACHE;
    else process.env.TACET_CACHE = before;
    await rm(site.folder, { recursive: true });
  });
  return site;
}

function vectorsOf(notes: readonly Document[]): string {
  const words = new Set(
    notes.flatMap(({ text }) => tokenise(text).map((token) => token.text.toLowerCase())),
  );
  const random = new Random(1);
  return [...words].map((word) => `${word} ${[...random.normals(DIMENSION)].join(' ')}`).join('\n');
}
