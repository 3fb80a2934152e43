import type { Candidates } from '../../embeddings/candidates.js';
import { WordClusters } from '../../embeddings/clusters.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import { GeneralHeads } from '../../networks/general-heads.js';
import type { GeneralObjective } from '../configuration/general-config.js';
import type { ThreePhaseConfig } from '../configuration/three-phase-config.js';
import type { TextExample } from '../data/examples.js';
import type { UnlabelledText } from '../data/unlabelled.js';
import type { StageContext } from '../run/stage-context.js';
import { labelledTargets, namingWords, targetWords, unlabelledTargets } from './general-targets.js';

/** The heads of each objective, and what each reads a word off: the token so many places after it. */
export const HEADS = {
  'own-word': { word: 0 },
  neighbours: { before: 1, after: -1 },
  'masked-word': { word: 0 },
  clusters: { cluster: 0 },
} as const satisfies Record<Exclude<GeneralObjective, 'none'>, Readonly<Record<string, number>>>;

/** What f learns besides the labels, one task for all stages: the heads learn on from stage to stage. */
export interface GeneralTask {
  readonly objective: keyof typeof HEADS;
  readonly heads: GeneralHeads;
  /** Words that are no targets, see `namingWords`. */
  readonly naming: ReadonlySet<string>;
  /** What `clusters` predicts. */
  readonly clusters?: WordClusters | undefined;
  /**
   * The mean [E] of the vectors of words that can be targets, each as often as it stands: what all of them share
   * says nothing of any, and is taken off before they are compared (Mu and Viswanath 2018, section 2).
   */
  readonly centre?: Float32Array | undefined;
  /** Text that is learned on beside the notes. */
  readonly unlabelled?: UnlabelledText | undefined;
}

interface Text {
  readonly vocabulary: Vocabulary;
  readonly candidates: Candidates;
  readonly train: readonly TextExample[];
  readonly unlabelled?: UnlabelledText | undefined;
}

/** With fresh heads; undefined for the objective `none`. Throws `config-invalid` where text has fewer words than clusters. */
export function createGeneralTask(
  text: Text,
  { general, representation }: Pick<ThreePhaseConfig, 'general' | 'representation'>,
  { random }: Pick<StageContext, 'random'>,
): GeneralTask | undefined {
  const { vocabulary, candidates, train, unlabelled } = text;
  const { objective, units } = general;
  if (objective === 'none') return undefined;
  const isClusters = objective === 'clusters';
  const heads = GeneralHeads.create(
    {
      heads: Object.keys(HEADS[objective]),
      inputDimension: representation.dimension,
      units,
      outputs: isClusters ? general.clusters : vocabulary.dimension,
    },
    random.fork('general heads'),
  );
  const naming = namingWords(train, vocabulary, candidates);
  const words = [
    ...targetWords(train, labelledTargets(vocabulary, naming)),
    ...targetWords(unlabelled?.train ?? [], unlabelledTargets(vocabulary, naming)),
  ];
  if (!isClusters)
    return { objective, heads, naming, unlabelled, centre: meanVector(words, vocabulary) };
  const draws = random.fork('word clusters');
  const clusters = WordClusters.find(vocabulary, words, general.clusters, draws);
  return { objective, heads, naming, unlabelled, clusters };
}

/** [E], zeros where there is no word. */
function meanVector(words: readonly number[], vocabulary: Vocabulary): Float32Array {
  const { dimension } = vocabulary;
  const vectors = vocabulary.vectors();
  const sum = new Float64Array(dimension);
  for (const id of words)
    for (let k = 0; k < dimension; k++) sum[k] += vectors[id * dimension + k] as number;
  return Float32Array.from(sum, (each) => each / Math.max(1, words.length));
}
