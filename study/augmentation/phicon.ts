/**
 * PHICON (Yue and Zhou 2020, sections 3 and 4): a tagger that learns from a part of one corpus, with and without
 * augmented sentences beside it, and is measured on the whole of other corpora.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { holdsPhi } from '../../models/augmentation/context.js';
import { phiconCopies } from '../../models/augmentation/phicon.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { agreementOf } from '../../models/evaluation/agreement.js';
import type { DocumentPair } from '../../models/evaluation/document-counts.js';
import { phiTokens } from '../../models/evaluation/labelled-item.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import { matchExactly } from '../../models/evaluation/matching.js';
import { addCounts, type Counts, NO_COUNTS } from '../../models/evaluation/score.js';
import type { Representation } from '../../models/networks/representation.js';
import { Random } from '../../models/tensor/random.js';
import { originOf } from '../../models/text/corpus/template-id.js';
import type { Document } from '../../models/text/document.js';
import { createLabelScheme, type LabelScheme, mapType } from '../../models/text/label-scheme.js';
import { tokenise } from '../../models/text/tokeniser.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { splitDocuments } from '../../models/training/data/split.js';
import { TacetError } from '../../proto/errors.js';
import type { Site } from '../runs/sites.js';
import type { Work } from '../runs/subject.js';
import { PHICON_TAGGERS, type PhiconTagger } from './phicon-taggers.js';

/** The rows of the paper's Table 4. */
export const PHICON_ROWS = ['without', 'phi', 'context', 'both'] as const;
export type PhiconRow = (typeof PHICON_ROWS)[number];

/** 7:1:2 of all, validation being an eighth of what is not measured on. */
const TEST_SHARE = 0.2;
const VALIDATION_SHARE = 0.125;

/** One training. */
export interface PhiconCell {
  readonly tagger: PhiconTagger;
  readonly row: PhiconRow;
  /** Of the notes for training. */
  readonly share: number;
  /** 0 in the row without augmentation. */
  readonly alpha: number;
  readonly seed: number;
}

export interface PhiconMaterial {
  readonly embeddings: Embeddings;
  /** The categories that all corpora map to. */
  readonly categories: LabelScheme;
  /** Learned from, in its own types. */
  readonly train: Site;
  /** Measured on, whole. */
  readonly tests: readonly Site[];
  /** BCP 47. */
  readonly language: string;
  /** A type of a corpus that occurs less often is dropped from it. */
  readonly leastSpans: number;
  readonly configs: Readonly<Record<PhiconTagger, TrainingConfig>>;
  /** A frozen representation, for the tagger `released`. */
  readonly representation?: Representation | undefined;
  /** Where releases are kept while they are learned from, so that none is drawn twice. */
  readonly directory: string;
}

/** Tokens of a document, PHI or not. */
export interface DocumentCounts extends Counts {
  /** Equal for documents of one template, and for a document whatever the seed: a number in its whole corpus. */
  readonly origin: number;
}

/** Tokens of a corpus, PHI or not, by document, and of each category over all of them. */
export interface PhiconCounts {
  readonly documents: readonly DocumentCounts[];
  readonly categories: Readonly<Record<string, Counts>>;
}

export interface PhiconResult extends PhiconCell {
  readonly notes: number;
  /** Sentences that were learned from: the notes' own, and augmented ones. */
  readonly sentences: number;
  readonly augmented: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  /** By name: the rest of the corpus that was learned from (a fifth of it), and all of the others. */
  readonly corpora: Readonly<Record<string, PhiconCounts>>;
}

/** All cells of a grid, each once, however often a value is named: without augmentation there is no α. */
export function phiconCells(grid: {
  readonly taggers: readonly PhiconTagger[];
  readonly rows: readonly PhiconRow[];
  readonly shares: readonly number[];
  readonly alphas: readonly number[];
  readonly seeds: readonly number[];
}): PhiconCell[] {
  const cells = grid.seeds.flatMap((seed) =>
    grid.taggers.flatMap((tagger) =>
      grid.shares.flatMap((share) =>
        grid.rows.flatMap((row) =>
          (row === 'without' ? [0] : grid.alphas).map((alpha) => ({
            ...{ tagger, row, share, alpha, seed },
          })),
        ),
      ),
    ),
  );
  return [...new Map(cells.map((cell) => [cellName(cell), cell])).values()];
}

/** For people, and as the name of a file. */
export function cellName({ tagger, row, share, alpha, seed }: PhiconCell): string {
  const times = row === 'without' ? '' : `-x${alpha}`;
  return `${tagger}-${row}${times}-${Math.round(100 * share)}-seed-${seed}`;
}

/** 7:1:2, with all documents of a template in one part. */
export function phiconParts(
  documents: readonly Document[],
  random: Random,
): { train: Document[]; validation: Document[]; test: Document[] } {
  const { train: rest, validation: test } = splitDocuments(
    documents,
    TEST_SHARE,
    random.fork('test'),
  );
  return { ...splitDocuments(rest, VALIDATION_SHARE, random.fork('validation')), test };
}

/**
 * Trains and measures one cell. Its seed parts the documents (`phiconParts`), alike in
 * every row; larger shares hold the smaller. Throws `corpus-invalid` where a corpus has no PHI, or none that is not
 * dropped.
 */
export async function measureCell(
  cell: PhiconCell,
  material: PhiconMaterial,
  work: Work,
): Promise<PhiconResult> {
  const { embeddings, categories, tests, leastSpans, language } = material;
  const config = material.configs[cell.tagger];
  const random = new Random(cell.seed);
  const [documents = [], ...measured] = [material.train, ...tests].map((site) =>
    withoutRare(site, categories, leastSpans),
  );
  const { train, validation, test: own } = phiconParts(documents, random);
  random.fork('share').shuffle(train);
  const learned = train.slice(0, Math.max(1, Math.round(cell.share * train.length)));
  const copies = await phiconCopies(
    {
      ...{ documents: learned, embeddings, language, corpusName: material.train.name },
      scheme: ownTypes(learned, categories),
    },
    { alpha: cell.alpha, phi: cell.row !== 'context', context: cell.row !== 'phi' },
    random.fork(`augment ${cell.row}`),
    work.signal,
  );
  const mapped = (all: readonly Document[]) => all.map((each) => mapTypes(each, categories));
  const releases = releasesOf(cell, material);
  const tagger = await PHICON_TAGGERS[cell.tagger](
    { train: mapped(learned), augmented: mapped(copies.flat()), validation: mapped(validation) },
    { embeddings, scheme: categories, config, keep: holdsPhi, releases },
    { ...work, random: random.fork('train') },
  );
  try {
    if (releases) await rm(releases.file, { force: true });
    const corpora: Record<string, PhiconCounts> = {};
    const parts = [own, ...measured];
    for (const [i, site] of [material.train, ...tests].entries())
      corpora[site.name] = phiconCounts(
        mapped(parts[i] as Document[]).map((gold) => {
          work.signal?.throwIfAborted();
          return { gold, system: { ...gold, spans: tagger.tag(gold) } };
        }),
        originNumbers(site.documents),
      );
    const { sentences, augmented, epochs, bestEpoch } = tagger;
    return { ...cell, notes: learned.length, sentences, augmented, epochs, bestEpoch, corpora };
  } finally {
    tagger.dispose();
  }
}

function releasesOf(cell: PhiconCell, { representation, directory }: PhiconMaterial) {
  if (cell.tagger !== 'released') return undefined;
  if (!representation) throw new RangeError('the tagger released has no representation');
  return { representation, file: path.join(directory, `${cellName(cell)}.float16`) };
}

/** The documents without the spans of types that occur less often than `least` times in all of them. */
function withoutRare(
  { name, documents }: Site,
  categories: LabelScheme,
  least: number,
): readonly Document[] {
  const counts = new Map<string, number>();
  for (const { type } of documents.flatMap(({ spans }) => spans))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  const kept = [...counts].flatMap(([type, count]) => (count >= least ? [type] : []));
  if (!kept.some((type) => mapType(type, categories) !== null))
    throw new TacetError(
      'corpus-invalid',
      `${name}: no type of PHI has ${least} spans or more, so that nothing is left to find; give more notes, or ask for ` +
        'fewer (--least)',
    );
  return documents.map((document) => ({
    ...document,
    spans: document.spans.filter(({ type }) => kept.includes(type)),
  }));
}

/** A scheme of the corpus's own types, so that a hospital becomes a hospital; what is of no category is text. */
function ownTypes(documents: readonly Document[], categories: LabelScheme): LabelScheme {
  const all = [...new Set(documents.flatMap(({ spans }) => spans.map(({ type }) => type)))].sort();
  const isPhi = (type: string) => mapType(type, categories) !== null;
  const map = Object.fromEntries(
    all.filter((type) => !isPhi(type)).map((type) => [type, null] as const),
  );
  return createLabelScheme({ name: 'own-types', version: '1', types: all.filter(isPhi), map });
}

/** The origins of a corpus by number: ids, which may say who a note is of, leave no trace in results. */
function originNumbers(documents: readonly Document[]): ReadonlyMap<string, number> {
  return new Map([...new Set(documents.map(originOf))].map((origin, number) => [origin, number]));
}

function phiconCounts(
  pairs: readonly DocumentPair[],
  origins: ReadonlyMap<string, number>,
): PhiconCounts {
  const agreements = pairs.map(({ gold, system }) => {
    const tokens = tokenise(gold.text);
    return agreementOf(
      phiTokens(tokens, gold.spans),
      phiTokens(tokens, system.spans),
      matchExactly,
    );
  });
  const categories = new Map<string, Counts>();
  for (const [type, counts] of agreements.flatMap(({ perType }) => [...perType]))
    categories.set(type, addCounts(categories.get(type) ?? NO_COUNTS, counts));
  return {
    documents: agreements.map(({ binary: { tp, fp, fn } }, i) => ({
      ...{ tp, fp, fn, origin: origins.get(originOf((pairs[i] as DocumentPair).gold)) as number },
    })),
    categories: Object.fromEntries([...categories].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
