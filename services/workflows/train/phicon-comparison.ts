import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { documentsDigest } from '../../../models/text/documents-digest.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  TRAINING_DEFAULTS,
  type TrainingConfig,
} from '../../../models/training/configuration/config.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { TacetError } from '../../../proto/errors.js';
import {
  cellName,
  measureCell,
  type PhiconMaterial,
  type PhiconResult,
  type PhiconRow,
  phiconCells,
} from '../../../study/augmentation/phicon.js';
import { PHICON_USUAL, type PhiconTagger } from '../../../study/augmentation/phicon-taggers.js';
import { frozenDigest, openRepresentation } from '../../../study/runs/frozen.js';
import type { Site } from '../../../study/runs/sites.js';
import { requireUnseenSites } from '../../../study/runs/unseen.js';
import type { Context } from '../context.js';
import { onceMeasured, type Settings } from './measured-once.js';
import type { Named } from './named.js';
import { readLabelled } from './run-material.js';
import { readConfig } from './training-config.js';

export interface PhiconComparison {
  readonly train: Named<string>;
  readonly tests: Named<string>;
  readonly taggers: readonly PhiconTagger[];
  readonly rows: readonly PhiconRow[];
  /** Of the notes for training. */
  readonly shares: readonly number[];
  readonly alphas: readonly number[];
  readonly seeds: readonly number[];
  readonly language: string;
  readonly embeddings: string;
  /** The categories that all corpora map to, by name or file. */
  readonly scheme: string;
  readonly leastSpans: number;
  readonly configs: PhiconMaterial['configs'];
  /** A frozen representation, by its folder, for the tagger `released`. */
  readonly representation?: string | undefined;
  /** A file for each cell; what is there already is not measured again. */
  readonly out: string;
}

/**
 * Yields one cell after another, seed by seed. Several processes may work in one directory, each on seeds or
 * rows of its own. Throws `usage` where two corpora have one name, not exactly one is learned from, or a
 * representation is not named that a tagger needs, or named without need; `corpus-invalid` where one that is measured
 * on has a document of the one that is learned from.
 */
export async function* comparePhicon(
  comparison: PhiconComparison,
  context: Pick<Context, 'signal' | 'progress'>,
): AsyncGenerator<PhiconResult> {
  const { out, representation } = comparison;
  requireDistinct(comparison);
  requireRepresentation(comparison);
  makeFolders(out);
  const material = await materialOf(comparison, context);
  const digest = representation === undefined ? undefined : await frozenDigest(representation);
  try {
    for (const cell of phiconCells(comparison)) {
      const file = path.join(out, `${cellName(cell)}.json`);
      const settings = {
        ...settingsOf(material, cell.tagger),
        ...(cell.tagger === 'released' && { representation: digest }),
      };
      yield onceMeasured(file, settings, () => measureCell(cell, material, context));
    }
  } finally {
    material.representation?.dispose();
  }
}

/**
 * The keys of a configuration file or of one by name, over those that each tagger is trained by where it comes from.
 * Throws `config-invalid` where it augments by itself, since the rows say what is augmented.
 */
export async function phiconConfigs(
  fileOrName: string | undefined,
): Promise<PhiconMaterial['configs']> {
  const configs = Object.entries(PHICON_USUAL).map(
    async ([tagger, usual]): Promise<[string, TrainingConfig]> => [
      tagger,
      await readConfig(fileOrName, usual),
    ],
  );
  const found = Object.fromEntries(await Promise.all(configs)) as PhiconMaterial['configs'];
  if (isDeepStrictEqual(found.ours.augmentation, TRAINING_DEFAULTS.augmentation)) return found;
  throw new TacetError(
    'config-invalid',
    `${fileOrName}: augmentation is what the rows of this experiment differ in (--rows, --alphas); leave it out`,
  );
}

function settingsOf(material: PhiconMaterial, tagger: PhiconTagger): Settings {
  const { train, tests, categories, embeddings, language, leastSpans, configs } = material;
  const { seed: _, ...configuration } = configs[tagger];
  const digestOf = ({ name, documents }: Site) => [name, documentsDigest(documents)];
  return {
    ...{ configuration, language, leastSpans },
    train: digestOf(train),
    tests: tests.map(digestOf),
    scheme: categories.digest,
    embeddings: embeddings.identity,
  };
}

function requireDistinct({ train, tests }: PhiconComparison): void {
  const names = [...train, ...tests].map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new TacetError('usage', `${twice} is named twice: expected one corpus of a name`);
  if (train.length !== 1)
    throw new TacetError('usage', `${train.length} corpora to train on: expected one`);
}

function requireRepresentation({ taggers, representation }: PhiconComparison): void {
  if (taggers.includes('released') === (representation !== undefined)) return;
  throw new TacetError(
    'usage',
    representation === undefined
      ? 'the tagger released learns from what a frozen representation makes of sentences: name its folder with --representation'
      : '--representation is for the tagger released: name that with --taggers, or leave the representation out',
  );
}

async function materialOf(
  { train, tests, scheme, ...comparison }: PhiconComparison,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<PhiconMaterial> {
  const categories = loadLabelScheme(scheme);
  const read = (named: Named<string>) =>
    Promise.all(
      named.map(async ([name, corpus]) => ({
        name,
        documents: await readLabelled(corpus, categories, signal),
      })),
    );
  // Before the word vectors, which take longer to read.
  const [learned] = await read(train);
  const measured = await read(tests);
  requireUnseenSites(learned.documents, measured);
  const { language, leastSpans, configs } = comparison;
  const embeddings = await openEmbeddings(comparison.embeddings, { signal, progress });
  const representation =
    comparison.representation === undefined
      ? undefined
      : await openRepresentation(comparison.representation, embeddings);
  const corpora = { categories, train: learned, tests: measured, language, leastSpans };
  return { ...corpora, embeddings, configs, representation, directory: comparison.out };
}
