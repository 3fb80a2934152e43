/**
 * What a representation is worth to places that it does not come from: representations by places. In each row
 * a de-identifier learns from what its places share and is measured on held-out documents of every place: one
 * place's text alone, the text of all, releases of all through one representation.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CertifiedBoundReport } from '../../models/attacks/certified-bound.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Representation } from '../../models/networks/representation.js';
import type { Tagger } from '../../models/networks/tagger.js';
import { vocabularyFor } from '../../models/networks/vocabulary-for.js';
import { Random } from '../../models/tensor/random.js';
import { originsOf } from '../../models/text/corpus/kept-together.js';
import type { Document } from '../../models/text/document.js';
import { type TextExample, textExamples } from '../../models/training/data/examples.js';
import type { StageResult } from '../../models/training/run/stage.js';
import { trainOnText } from '../../models/training/supervised.js';
import { onReleases } from '../measures/learn-on-releases.js';
import { limitOf } from '../measures/limit.js';
import { type SharedNotes, sharedSentences } from '../runs/shared-sentences.js';
import { partSites } from '../runs/sites.js';
import type { Material, Work } from '../runs/subject.js';
import { type SiteScores, scoresBySite } from './site-scores.js';

/** Word vectors and labels, the same for all. */
export type MatrixMaterial = Pick<Material, 'embeddings' | 'scheme'>;

export interface NamedRepresentation {
  readonly name: string;
  readonly representation: Representation;
}

export interface MatrixOptions extends SharedNotes {
  /** Where releases are kept until they are learned from. */
  readonly directory: string;
  /** What their file is called; by the row where it is not said. */
  readonly releasedAs?: string | undefined;
  /** What becomes of a place's sentences, the provider's excepted. */
  readonly moved?: (
    sentences: readonly TextExample[],
    vocabulary: Vocabulary,
  ) => Promise<readonly TextExample[]>;
  /** BCP 47, of the notes: copies of text have common forms of it, too. */
  readonly language?: string | undefined;
}

/** What a row's de-identifier learns from. */
export type MatrixRow =
  | { readonly way: 'alone'; readonly site: string }
  /** Of all places, or of these; `again`, with other draws. */
  | { readonly way: 'text'; readonly of?: readonly string[]; readonly again?: boolean }
  | { readonly way: 'released'; readonly through: NamedRepresentation };

export interface MatrixResult {
  readonly row: string;
  readonly seed: number;
  readonly sentences: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  /** By name, of held-out documents. */
  readonly sites: Readonly<Record<string, SiteScores>>;
}

/** The rows without a representation: each place alone, and the text of all. */
export function matrixRows(places: readonly string[]): MatrixRow[] {
  return [...places.map((site) => ({ way: 'alone', site }) as const), { way: 'text' }];
}

/** For people, and as the name of a file. */
export function rowName(row: MatrixRow): string {
  if (row.way === 'alone') return `alone ${row.site}`;
  if (row.way === 'released') return `released ${row.through.name}`;
  const name = row.of ? `text of ${row.of.join(' and ')}` : 'text';
  return row.again ? `${name} again` : name;
}

/** What was learned in a row. */
export interface LearnedRow {
  /** To be disposed of. */
  readonly tagger: Tagger;
  readonly sentences: number;
  readonly stage: StageResult;
}

/** Trains and measures one row. The seed of the configuration parts documents too, alike in every row. */
export async function measureRow(
  row: MatrixRow,
  material: MatrixMaterial,
  options: MatrixOptions,
  work: Work,
): Promise<MatrixResult> {
  const { seed } = options.config;
  const { measured } = partSites(options, new Random(seed));
  const { tagger, sentences, stage } = await learnRow(row, material, options, work);
  try {
    const sites = scoresBySite(tagger, measured, work);
    const { epochs, bestEpoch } = stage;
    return { row: rowName(row), seed, sentences, epochs, bestEpoch, sites };
  } finally {
    tagger.deidentifier.dispose();
  }
}

/** Trains one row. */
export async function learnRow(
  row: MatrixRow,
  { embeddings, scheme }: MatrixMaterial,
  options: MatrixOptions,
  work: Work,
): Promise<LearnedRow> {
  const { config, directory } = options;
  const name = rowName(row);
  const random = new Random(config.seed);
  const through = row.way === 'released' ? row.through.representation : undefined;
  const vocabulary = vocabularyFor(embeddings, config.deidentifier, through?.config);
  const known = (documents: readonly Document[]) => textExamples(documents, scheme, vocabulary);
  const own = async (documents: readonly Document[]) =>
    options.moved ? options.moved(known(documents), vocabulary) : known(documents);
  const copied = through || options.moved ? undefined : { scheme, language: options.language };
  const parts = await sharedSentences({ ...options, copied }, { known, own }, random, onlyOf(row));
  const learn = through ? onReleases(through) : trainOnText;
  const file = path.join(directory, `${options.releasedAs ?? name}-seed-${config.seed}.float16`);
  const { deidentifier, stage } = await learn(
    parts,
    vocabulary,
    scheme.labels.length,
    { ...config, file },
    { ...work, random: random.fork(name) },
  );
  await rm(file, { force: true });
  const read = through && { representation: through };
  const tagger = { deidentifier, vocabulary, scheme, ...read };
  return { tagger, sentences: parts.train.length + parts.validation.length, stage };
}

/** The places whose notes are shared in a row; all where it does not say. */
function onlyOf(row: MatrixRow): readonly string[] | undefined {
  if (row.way === 'alone') return [row.site];
  return row.way === 'text' ? row.of : undefined;
}

/** What the certified bound says of a word that nobody labelled, by place; none where no word can move. */
export type SiteLimits = Readonly<Record<string, CertifiedBoundReport>>;

/** The certified bound on held-out documents of every place, for N neighbours. */
export async function measureLimits(
  { representation }: NamedRepresentation,
  { embeddings, scheme }: MatrixMaterial,
  { neighbours, ...options }: MatrixOptions & { readonly neighbours: number },
  work: Work,
): Promise<SiteLimits> {
  const random = new Random(options.config.seed);
  const { deidentifier } = options.config;
  const vocabulary = vocabularyFor(embeddings, deidentifier, representation.config);
  const encoding = { representation, vocabulary, scheme, neighbours };
  const limits: Record<string, CertifiedBoundReport> = {};
  for (const { name, documents } of partSites(options, random).measured) {
    const notes = textExamples(documents, scheme, vocabulary);
    const own = random.fork(`limit/${name}`);
    const limit = await limitOf(notes, [], encoding, own, work, originsOf(documents));
    if (limit) limits[name] = limit;
  }
  return limits;
}
