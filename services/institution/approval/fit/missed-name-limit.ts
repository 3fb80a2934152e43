import { twinDistances } from '../../../../models/attacks/distances.js';
import { LEAST_ACCURACY } from '../../../../models/certification/accuracy.js';
import { pairBound } from '../../../../models/certification/bounds.js';
import { isPhi } from '../../../../models/certification/move.js';
import {
  type CandidateOptions,
  type Candidates,
  findCandidates,
} from '../../../../models/embeddings/candidates.js';
import { documentsOf, type Estimate, estimate } from '../../../../models/statistics/estimate.js';
import { ofOrigins } from '../../../../models/statistics/origins.js';
import { quantile } from '../../../../models/statistics/quantile.js';
import { Random } from '../../../../models/tensor/random.js';
import { originsOf } from '../../../../models/text/corpus/kept-together.js';
import type { Document } from '../../../../models/text/document.js';
import { type TextExample, textExamples } from '../../../../models/training/data/examples.js';
import { drawTwins, pairSource } from '../../../../models/training/data/pairs.js';
import { phiWords } from '../../../../models/training/recipes.js';
import type { StageContext } from '../../../../models/training/run/stage-context.js';
import { TacetError } from '../../../../proto/errors.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';

/** What the certified bound says of a PHI word of these notes that is encoded as it stands. */
export interface MissedNameLimit {
  readonly pairs: number;
  /** Notes that the pairs are of; those of one origin count as one, as in the interval. */
  readonly documents: number;
  /** PHI words that nothing stands in for, such as stop words: the bound does not speak of them. */
  readonly unmoved: number;
  readonly bound: Estimate;
  readonly percentile95: number;
  /** Sentences over 20 tokens alone; undefined where there are none. */
  readonly long?: number | undefined;
}

export interface LimitOptions
  extends Pick<StageContext, 'signal' | 'progress'>,
    Pick<CandidateOptions, 'cacheDir'> {
  /** N, the neighbours that a word may have been. */
  readonly neighbours: number;
}

/** Draws of the input noise a pair. */
const DRAWS = 16;
const LONG_TOKENS = 20;
const SEED = 1;

/**
 * The certified bound (docs/theory.md) on telling a PHI word of these notes from its neighbours, each
 * sentence with one of its words moved as in training: what a name that nobody labelled would risk.
 * Throws `corpus-invalid` where no word can move: there is no bound to state.
 */
export async function missedNameLimit(
  { representation, vocabulary, scheme }: EncodingModel,
  documents: readonly Document[],
  { neighbours, ...options }: LimitOptions,
): Promise<MissedNameLimit> {
  const examples = textExamples(documents, scheme, vocabulary);
  const candidates = await findCandidates(vocabulary, phiWords(examples), neighbours, options);
  const source = pairSource(examples, candidates);
  const sentences = [...source.positions.keys()];
  if (sentences.length === 0)
    throw new TacetError(
      'corpus-invalid',
      'no labelled word of these notes can be moved, so that there is no limit to state; give notes with names in them',
    );
  const random = new Random(SEED).fork('limit on the notes');
  const pairs = drawTwins(sentences, source, random).map(({ ids: twin }, i) => {
    const { ids, documentIndex } = sentences[i];
    return { ids, twin, documentIndex };
  });
  const distances = await twinDistances(
    { representation, vocabulary },
    pairs,
    DRAWS,
    random,
    options,
  );
  const bounds = distances.map((squared) => pairBound(squared));
  const observations = ofOrigins(
    pairs.map(({ documentIndex }, i) => ({ documentIndex, value: bounds[i] })),
    originsOf(documents),
  );
  const long = bounds.filter((_, i) => pairs[i].ids.length > LONG_TOKENS);
  return {
    pairs: pairs.length,
    documents: documentsOf(observations),
    unmoved: unmovedOf(examples, candidates),
    bound: estimate(observations, 1, LEAST_ACCURACY),
    percentile95: quantile(bounds, 0.95) ?? LEAST_ACCURACY,
    long: long.length === 0 ? undefined : long.reduce((sum, one) => sum + one, 0) / long.length,
  };
}

function unmovedOf(examples: readonly TextExample[], candidates: Candidates): number {
  let count = 0;
  for (const example of examples)
    for (const [position, id] of example.ids.entries())
      if (isPhi(example, position) && !candidates.isMovable(id)) count++;
  return count;
}
