import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createBundle } from '../models/bundle/bundle.js';
import { describeBundle } from '../models/bundle/describe.js';
import { openEmbeddings } from '../models/embeddings/open.js';
import { Deidentifier } from '../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../models/networks/deidentifier-config.js';
import { Representation } from '../models/networks/representation.js';
import { REPRESENTATION_DEFAULTS } from '../models/networks/representation-config.js';
import type { Tagger } from '../models/networks/tagger.js';
import { createInventory } from '../models/surrogates/create-inventory.js';
import { generateNotes } from '../models/synthetic/generate-notes.js';
import { Random } from '../models/tensor/random.js';
import { formatJsonl } from '../models/text/corpus/format-document.js';
import { readCorpus } from '../models/text/corpus/read-corpus.js';
import type { Document } from '../models/text/document.js';
import { loadLabelScheme } from '../models/text/label-scheme.js';
import { ModelThread } from '../services/encoder/model-thread.js';
import {
  type EncodingModel,
  openEncodingModel,
} from '../services/institution/bundles/encoding-model.js';
import { openTaggingModel } from '../services/institution/bundles/tagging-model.js';

const DATA =
  process.env.TACET_DATA || fileURLToPath(new URL('../../../shared/data', import.meta.url));
const MEDDOCAN = ['train', 'dev'].map((set) => join(DATA, 'meddocan', set, 'xml'));
const SPANISH = join(DATA, 'embeddings/es.bin');
/** Of invented ones. */
const NOTES = 750;
/** Whose entities stand for those of all. */
const PUBLIC_NOTES = 750;
/** Of the word vectors that hospitals run (docs/design.md, Speed): fastText's. */
const DIMENSION = 300;
const WORDS = 2 ** 16;
const WORDS_A_WRITE = 4096;
/** Enough noise for a certified bound that is not one. */
const STDDEV = 0.3;

/**
 * An institution's machine: notes, and bundles of the sizes of the paper that nobody trained. The word
 * vectors are those of no corpus either: the most frequent words of a real vocabulary, with random
 * numbers for their 300 dimensions, since what a word's vector holds takes no part in the time.
 */
export interface EncodingSite {
  readonly root: string;
  /** Labelled notes, a file each where they are MEDDOCAN's, made-up ones in one file. */
  readonly notes: string;
  /** Of the word vectors, for a command. */
  readonly embeddings: string;
  /** TACET_CACHE of a command that opens them. */
  readonly cache: string;
  readonly publicKey: KeyObject;
  readonly publicKeyFile: string;
  readonly representation: string;
  readonly pipeline: string;
  readonly model: EncodingModel;
  readonly tagger: Tagger;
  /** The models that encode on a thread of their own, loaded. */
  modelThread(): Promise<ModelThread>;
  /** A new directory for a ledger and an outbox. */
  home(): string;
  remove(): void;
}

/** Whose notes, and whose words: the label scheme and the inventory fit these notes alone. */
export type SiteSource = 'meddocan' | 'invented';

/** MEDDOCAN where its notes and Spanish word vectors are there. */
export function sourceAtHand(): SiteSource {
  const isThere = [...MEDDOCAN, SPANISH].every((path) => existsSync(path));
  return isThere ? 'meddocan' : 'invented';
}

export async function encodingSite(source: SiteSource): Promise<EncodingSite> {
  const root = mkdtempSync(join(tmpdir(), 'tacet-bench-'));
  const isInvented = source === 'invented';
  const random = new Random(1);
  const cache = join(root, 'cache');
  const vectors = join(root, 'vectors.vec');
  const { words } = await openEmbeddings(isInvented ? 'wink' : SPANISH);
  writeVectors(vectors, words.slice(0, WORDS), random);
  const embeddings = await openEmbeddings(vectors, { cacheDir: cache });
  const scheme = loadLabelScheme(isInvented ? 'synthetic' : 'meddocan');
  const { representation, deidentifier } = createNetworks(
    embeddings.dimension,
    scheme.labels.length,
    random,
  );
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const publicKeyFile = join(root, 'publisher.pem');
  writeFileSync(publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const notesIn = join(root, 'notes');
  const notes = isInvented ? writeNotes(notesIn, NOTES) : copyNotes(notesIn);
  const publication = {
    version: '1.0.0',
    ...{ scheme, embeddings, embeddingsName: 'bench', training: {}, scores: {} },
  };
  const bundles = {
    representation: { representation },
    pipeline: { representation, deidentifier },
  };
  for (const [name, networks] of Object.entries(bundles)) {
    const { fields, weights } = describeBundle(networks, { ...publication, name });
    const inventory = await createInventory(scheme, {
      corpora: [{ name: 'bench', documents: await firstNotes(notes, PUBLIC_NOTES) }],
    });
    await createBundle(join(root, name), { fields, weights, inventory }, privateKey);
  }
  const paths = {
    representation: join(root, 'representation'),
    pipeline: join(root, 'pipeline'),
  };
  const fitted = { trustedKeys: [publicKey], embeddings };
  let homes = 0;
  return {
    ...{ root, cache, publicKey, publicKeyFile, embeddings: vectors, ...paths },
    notes,
    model: await openEncodingModel(paths.representation, fitted),
    tagger: await openTaggingModel(paths.pipeline, fitted),
    modelThread: async () => {
      process.env.TACET_CACHE = cache;
      const trust = { trustedKeys: [publicKey] };
      const setup = { trust, embeddings: vectors, model: paths.representation };
      const models = await ModelThread.start(setup);
      await models.call('load', undefined);
      return models;
    },
    home: () => join(root, `home-${homes++}`),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The first so many notes of a directory. */
export async function firstNotes(directory: string, count: number): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(directory)) {
    documents.push(document);
    if (documents.length === count) break;
  }
  return documents;
}

/** Fresh networks of the usual sizes. */
function createNetworks(embeddingDimension: number, labels: number, random: Random) {
  const representation = Representation.create(
    {
      ...REPRESENTATION_DEFAULTS,
      embeddingDimension,
      initialInputStddev: STDDEV,
      initialOutputStddev: STDDEV,
    },
    random,
  );
  const inputDimension = representation.config.dimension;
  const deidentifier = Deidentifier.create(
    { ...DEIDENTIFIER_DEFAULTS, casing: false, inputDimension, labels },
    random,
  );
  return { representation, deidentifier };
}

/** A text file of random vectors, two digits a number. */
function writeVectors(file: string, words: readonly string[], random: Random): void {
  writeFileSync(file, `${words.length} ${DIMENSION}\n`);
  for (let from = 0; from < words.length; from += WORDS_A_WRITE) {
    const lines = words.slice(from, from + WORDS_A_WRITE).map((word) => {
      const values = Array.from(random.uniforms(DIMENSION), (u) => Math.round(200 * u - 100) / 100);
      return `${word} ${values.join(' ')}\n`;
    });
    appendFileSync(file, lines.join(''));
  }
}

/** The 750 notes of MEDDOCAN's training and dev sets, a file each; returns the directory. */
function copyNotes(directory: string): string {
  mkdirSync(directory);
  for (const set of MEDDOCAN)
    for (const name of readdirSync(set)) copyFileSync(join(set, name), join(directory, name));
  return directory;
}

/** Made-up notes as JSON lines; returns the directory. */
export function writeNotes(directory: string, documents: number): string {
  mkdirSync(directory, { recursive: true });
  const lines: string[] = [];
  for (const note of generateNotes({ seed: 1, documents })) lines.push(formatJsonl(note));
  writeFileSync(join(directory, 'notes.jsonl'), `${lines.join('\n')}\n`);
  return directory;
}
