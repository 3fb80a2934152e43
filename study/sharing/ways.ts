/**
 * What a de-identifier is worth that several institutions trained together, by the way in which they
 * shared their notes: not at all, as text, as text whose entities were replaced, as releases of a frozen
 * representation with their entities kept, or replaced first.
 */
import path from 'node:path';
import { commonPieces, type Piece } from '../../models/certification/common-pieces.js';
import { spansOf, typeOfLabel } from '../../models/certification/entity.js';
import type { Representation } from '../../models/networks/representation.js';
import { vocabularyFor } from '../../models/networks/vocabulary-for.js';
import { createInventory } from '../../models/surrogates/create-inventory.js';
import { Inventory } from '../../models/surrogates/inventory.js';
import { replaceEntities } from '../../models/surrogates/replacement.js';
import { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { pieceEnds } from '../../models/text/sentence-pieces.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { type TextExample, textExamples } from '../../models/training/data/examples.js';
import { splitDocuments } from '../../models/training/data/split.js';
import { trainOnText } from '../../models/training/supervised.js';
import { onReleases, type PiecesOf, uncut } from '../measures/learn-on-releases.js';
import { type DeidentifierScores, deidentifierScores } from '../runs/deidentifier-scores.js';
import type { Material, Work } from '../runs/subject.js';
import { requireUnseen } from '../runs/unseen.js';

export const WAYS = [
  'provider alone',
  'text',
  'replaced text',
  'released',
  'replaced and released',
] as const;
export type Way = (typeof WAYS)[number];

export interface WaysOptions {
  /** Documents of each institution; those of the material are the provider's, whose entities are public. */
  readonly institutions: readonly (readonly Document[])[];
  /** A frozen representation, for the ways that release. */
  readonly representation?: Representation | undefined;
  readonly config: TrainingConfig;
  /** As of `InventorySources`, beside those of the provider's notes. */
  readonly languages?: readonly string[] | undefined;
  /** faker's, whose entities stand beside those of the provider's notes. */
  readonly locales?: readonly string[] | undefined;
  /** How often each note of an institution is replaced, each time by other entities. */
  readonly copies?: number | undefined;
  /** As of `tacet encode`: how many sentences may be alike but for their entities, where these are replaced. */
  readonly maxAlike?: number | undefined;
  /** Sentences are cut into pieces of so many tokens where they are released, see `pieceEnds`. */
  readonly pieces?: number | undefined;
  /** As of `tacet encode`: of how many documents of its institution the labels of each released piece are at least. */
  readonly labelDocuments?: number | undefined;
  /** Where releases are kept, so that none is drawn twice. */
  readonly directory: string;
}

export interface WayResult {
  readonly way: Way;
  readonly seed: number;
  readonly sentences: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  readonly scores: DeidentifierScores;
}

export function isReleased(way: Way): boolean {
  return way.endsWith('released');
}

export function isReplaced(way: Way): boolean {
  return way.startsWith('replaced');
}

/**
 * Trains and measures one way; without a representation none that releases. Whatever becomes of the documents of
 * institutions, the same of these and of the provider's validate; of the provider's alone, a share of its own does. Throws
 * `corpus-invalid` where a held-out document is the provider's or an institution's.
 */
export async function measureWay(
  way: Way,
  material: Material,
  options: WaysOptions,
  work: Work,
): Promise<WayResult> {
  const { representation, config } = options;
  const { scheme, heldOut } = material;
  requireUnseen([...material.documents, ...options.institutions.flat()], heldOut);
  const vocabulary = vocabularyFor(
    ...([material.embeddings, config.deidentifier, representation?.config] as const),
  );
  const random = new Random(config.seed);
  const notes = await corpusOf(way, material, options, random);
  const documents = notes.map(({ document }) => document);
  const { validation } = splitDocuments(
    [...new Set(notes.map(({ of }) => of))],
    config.validationShare,
    random.fork('split'),
  );
  const held = new Set(validation);
  const most = isReplaced(way) ? options.maxAlike : undefined;
  const pieces = isReleased(way) ? options.pieces : undefined;
  const kept = atMostAlike(inPieces(textExamples(documents, scheme, vocabulary), pieces), most);
  const examplesOf = (validates: boolean) =>
    kept.filter(
      ({ documentIndex }) => held.has((notes[documentIndex] as TrainedOn).of) === validates,
    );
  const parts = { train: examplesOf(false), validation: examplesOf(true) };
  const { labelDocuments } = options;
  const cut =
    isReleased(way) && labelDocuments ? piecesOfJobs(kept, notes, way, labelDocuments) : undefined;
  const learn = isReleased(way) && representation ? onReleases(representation, cut) : trainOnText;
  const context = { ...work, random: random.fork(way) };
  const { deidentifier, stage } = await learn(
    parts,
    vocabulary,
    scheme.labels.length,
    { ...config, file: path.join(options.directory, `${way}.float16`) },
    context,
  );
  try {
    const read = isReleased(way) && representation && { representation };
    const tagger = { deidentifier, vocabulary, scheme, ...read };
    const scores = await deidentifierScores(tagger, heldOut, work);
    const sentences = parts.train.length + parts.validation.length;
    const { epochs, bestEpoch } = stage;
    return { way, seed: config.seed, sentences, epochs, bestEpoch, scores };
  } finally {
    deidentifier.dispose();
  }
}

/** A document, and the one that it is or that it was made of by other entities. */
export interface TrainedOn {
  readonly document: Document;
  readonly of: Document;
  /** The number of its institution, whose notes leave together; none of the provider's, which are public. */
  readonly job?: number;
}

async function corpusOf(
  way: Way,
  { documents: provider, scheme, corpusName }: Material,
  { institutions, languages, locales, copies = 1 }: WaysOptions,
  random: Random,
): Promise<readonly TrainedOn[]> {
  const ofProvider = provider.map((document) => ({ document, of: document }));
  if (way === 'provider alone') return ofProvider;
  const own = institutions.flatMap((documents, job) => documents.map((of) => ({ of, job })));
  if (!isReplaced(way))
    return [...ofProvider, ...own.map((note) => ({ ...note, document: note.of }))];
  const corpora = [{ name: corpusName, documents: provider }];
  const inventory = new Inventory(await createInventory(scheme, { corpora, languages, locales }));
  const draws = random.fork('surrogates');
  const replace = (note: (typeof own)[number]) => ({
    ...note,
    document: replaceEntities(note.of, scheme, inventory, draws),
  });
  const replaced = Array.from({ length: copies }, () => own.map(replace)).flat();
  return [...ofProvider, ...replaced];
}

function inPieces(
  examples: readonly TextExample[],
  most = Number.POSITIVE_INFINITY,
): readonly TextExample[] {
  return examples.flatMap(({ ids, labels, documentIndex }) => {
    const ends = pieceEnds(labels, most);
    return ends.map((end, i) => {
      const start = ends[i - 1] ?? 0;
      return { ids: ids.slice(start, end), labels: labels.slice(start, end), documentIndex };
    });
  });
}

/**
 * What the examples of notes are cut into by `commonPieces`, those of each institution as one job, in which copies of a
 * document count as one; the provider's stay whole.
 */
export function piecesOfJobs(
  examples: readonly TextExample[],
  notes: readonly TrainedOn[],
  way: Way,
  least: number,
): PiecesOf {
  const numbers = new Map([...new Set(notes.map(({ of }) => of))].map((of, i) => [of, i]));
  const noteOf = ({ documentIndex }: TextExample) => notes[documentIndex] as TrainedOn;
  const cut = new Map<TextExample, readonly Piece[]>();
  for (const job of new Set(notes.flatMap((note) => note.job ?? []))) {
    const own = examples.filter((example) => noteOf(example).job === job);
    const at = (i: number) => own[i] as TextExample;
    const sentences = {
      size: own.length,
      labelsOf: (i: number) => at(i).labels,
      documentOf: (i: number) => numbers.get(noteOf(at(i)).of) as number,
    };
    const found = commonPieces(sentences, least, () => !isReplaced(way));
    for (const [i, pieces] of found) cut.set(at(i), pieces);
  }
  return (example) => cut.get(example) ?? uncut(example);
}

/** The first `most` of the sentences that are alike but for their entities, of all such. */
function atMostAlike(
  examples: readonly TextExample[],
  most = Number.POSITIVE_INFINITY,
): readonly TextExample[] {
  const counts = new Map<string, number>();
  return examples.filter(({ ids, labels }) => {
    const spans = spansOf(labels);
    if (spans.length === 0) return true;
    const words = Array.from(ids, (id, t) => (labels[t] === 0 ? `${id}` : ''));
    for (const { start } of spans) words[start] = `type ${typeOfLabel(labels[start] as number)}`;
    const masked = words.filter((word) => word !== '').join(' ');
    const count = counts.get(masked) ?? 0;
    counts.set(masked, count + 1);
    return count < most;
  });
}
