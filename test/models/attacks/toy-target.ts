import type { AttackContext } from '../../../models/attacks/attack.js';
import { twinDistances } from '../../../models/attacks/distances.js';
import { pairTrials } from '../../../models/attacks/likelihood/pair-trials.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { findCandidates } from '../../../models/embeddings/candidates.js';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Representation } from '../../../models/networks/representation.js';
import type { View } from '../../../models/networks/view.js';
import { Random } from '../../../models/tensor/random.js';
import { phiWords } from '../../../models/training/recipes.js';
import { DIMENSION, toyExamples, toyVocabulary } from '../training/toy-notes.js';

export interface ToyOptions {
  readonly neighbours?: number;
  readonly inputStddev?: number;
  readonly outputStddev?: number;
  readonly sentences?: readonly [train: number, validation: number, test: number];
  readonly vocabulary?: Vocabulary;
  /** Whether f sees the characters of words. */
  readonly characters?: boolean;
  /** The representation seen otherwise. */
  readonly view?: (representation: View) => View;
}

/** A fresh, small representation of toy notes with six names, all candidates of each other. */
export async function toyTarget({
  neighbours = 6,
  inputStddev = 0.05,
  outputStddev = 0.1,
  sentences = [120, 30, 120],
  vocabulary = toyVocabulary(),
  characters = false,
  view = (representation) => representation,
}: ToyOptions = {}): Promise<AuditTarget> {
  const [train, validation, test] = sentences.map((count, i) =>
    toyExamples(vocabulary, count, 10 + i),
  );
  const words = phiWords(train, validation, test);
  const candidates = await findCandidates(vocabulary, words, neighbours);
  const representation = Representation.create(
    {
      embeddingDimension: DIMENSION,
      units: 6,
      dimension: 5,
      ...(characters && { characters: 'cnn', characterDimension: 4, characterUnits: 4 }),
      initialInputStddev: inputStddev,
      initialOutputStddev: outputStddev,
    },
    new Random(5),
  );
  const labels = ['O', 'B-NAME', 'I-NAME'];
  const seen = view(representation);
  return { representation: seen, vocabulary, candidates, labels, train, validation, test };
}

/** What an audit gives an attack, for pairs of the toy's test notes. */
export async function toyContext(
  target: AuditTarget,
  { seed = 1, rounds = 1, draws = 16 } = {},
): Promise<AttackContext> {
  const random = new Random(seed);
  const trials = pairTrials(target, target.test, rounds, random.fork('trials'));
  const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
  const distances = await twinDistances(target, twins, draws, random.fork('distances'));
  return { random: random.fork('attack'), comparisons: 1, trials, distances };
}
