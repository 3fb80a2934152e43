import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/config.js';
import { TacetError } from '../../../proto/errors.js';
import {
  cellName,
  measureCell,
  type PhiconMaterial,
  type PhiconResult,
  type PhiconRow,
  phiconCells,
} from '../../../study/phicon.js';
import { PHICON_USUAL, type PhiconTagger } from '../../../study/phicon-taggers.js';
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
  /** A file for each cell; what is there already is not measured again. */
  readonly out: string;
}

/**
 * Yields one cell after another, seed by seed. Several processes may work in one directory, each on seeds or
 * rows of its own. Throws `usage` where two corpora have one name or not exactly one is learned from.
 */
export async function* comparePhicon(
  comparison: PhiconComparison,
  context: Pick<Context, 'signal' | 'progress'>,
): AsyncGenerator<PhiconResult> {
  const { out } = comparison;
  requireDistinct(comparison);
  await mkdir(out, { recursive: true });
  let material: PhiconMaterial | undefined;
  for (const cell of phiconCells(comparison))
    yield onceMeasured(
      path.join(out, `${cellName(cell)}.json`),
      settingsOf(comparison, cell.tagger),
      async () => {
        material ??= await materialOf(comparison, context);
        return measureCell(cell, material, context);
      },
    );
}

/** The keys of a configuration file or of one by name, over those that each tagger is trained by where it comes from. */
export async function phiconConfigs(
  fileOrName: string | undefined,
): Promise<PhiconMaterial['configs']> {
  const configs = Object.entries(PHICON_USUAL).map(
    async ([tagger, usual]): Promise<[string, TrainingConfig]> => [
      tagger,
      await readConfig(fileOrName, usual),
    ],
  );
  return Object.fromEntries(await Promise.all(configs)) as PhiconMaterial['configs'];
}

/** Corpora by where they lie: they are read only where something is left to measure. */
function settingsOf(
  { train, tests, language, embeddings, scheme, leastSpans, configs }: PhiconComparison,
  tagger: PhiconTagger,
): Settings {
  const { seed: _, ...configuration } = configs[tagger];
  const documents = 'by origin';
  return { configuration, train, tests, language, embeddings, scheme, leastSpans, documents };
}

function requireDistinct({ train, tests }: PhiconComparison): void {
  const names = [...train, ...tests].map(([name]) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    throw new TacetError('usage', `${twice} is named twice: expected one corpus of a name`);
  if (train.length !== 1)
    throw new TacetError('usage', `${train.length} corpora to train on: expected one`);
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
  const { language, leastSpans, configs } = comparison;
  const embeddings = await openEmbeddings(comparison.embeddings, { signal, progress });
  return { embeddings, categories, train: learned, tests: measured, language, leastSpans, configs };
}
