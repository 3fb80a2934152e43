import { type CertifiedBoundReport, certifiedBound } from '../../models/attacks/certified-bound.js';
import { twinDistances } from '../../models/attacks/distances.js';
import { pairTrials } from '../../models/attacks/likelihood/pair-trials.js';
import { findCandidates } from '../../models/embeddings/candidates.js';
import type { DigitMoves } from '../../models/embeddings/digit-moves.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Representation } from '../../models/networks/representation.js';
import type { Origins } from '../../models/statistics/origins.js';
import type { Random } from '../../models/tensor/random.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import type { TextExample } from '../../models/training/data/examples.js';
import { phiWords } from '../../models/training/recipes.js';
import type { Work } from '../runs/subject.js';

export interface Encoding {
  readonly representation: Representation;
  readonly vocabulary: Vocabulary;
  readonly scheme: LabelScheme;
  /** N. */
  readonly neighbours: number;
  /** What a number moves among; any other number where it is not said. */
  readonly digitMoves?: DigitMoves | undefined;
}

/** Draws of the input noise a pair. */
const DRAWS = 16;

/**
 * The certified bound on notes, a pair of each sentence that can make one; `seen` are other notes whose
 * PHI words are looked up with theirs, `origins` those of the notes' documents. Undefined where no sentence can make a pair.
 */
export async function limitOf(
  notes: readonly TextExample[],
  seen: readonly TextExample[],
  { representation, vocabulary, scheme, neighbours, digitMoves }: Encoding,
  random: Random,
  work: Work,
  origins?: Origins,
): Promise<CertifiedBoundReport | undefined> {
  const words = phiWords(seen, notes);
  const candidates = await findCandidates(vocabulary, words, neighbours, { ...work, digitMoves });
  const split = { train: seen, validation: notes, test: notes };
  const target = { representation, vocabulary, candidates, labels: scheme.labels, ...split };
  const trials = pairTrials(target, notes, 1, random.fork('pairs'));
  if (trials.length === 0) return undefined;
  const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
  const distances = await twinDistances(target, twins, DRAWS, random.fork('distances'), work);
  return certifiedBound({ trials, distances, comparisons: 1, origins });
}
