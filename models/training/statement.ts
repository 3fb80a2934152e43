import type { EntityTreatment } from '../../proto/entity-treatment.js';
import type { Facts } from '../bundle/manifest.js';
import { READ_IN_CLEAR } from '../bundle/uses.js';
import type { TrainingConfig } from './configuration/config.js';
import type { StageResult } from './run/stage.js';

/** The kinds of training on notes that end with a representation. */
export type PrivateObjective = 'adversarial' | 'certified' | 'dann';

/** All kinds of training on notes. */
export type Objective = PrivateObjective | 'raw' | 'pseudonymized' | 'augmented';

/**
 * Where a manifest says `neighbours` by this, numbers moved among their own neighbours in training and in the limits that
 * it states; left out where they moved among all numbers, as they do wherever a limit is measured later.
 */
export const NUMBERS_MOVE_AMONG = 'numbers move among';

/** What a manifest says of how a model was trained. */
export function trainingStatement(objective: Objective, config: TrainingConfig): Facts {
  const { neighbours, digitMoves, augmentation, outputNoiseFactor, seed } = config;
  const { copies, replaced, drawn, alpha } = augmentation;
  const inTurn = drawn > replaced && { 'drawn copies, in turn': drawn };
  const beside = {
    ...(replaced > 0 && { 'replaced copies': replaced, ...inTurn }),
    ...(alpha > 0 && {
      'augmented copies': alpha,
      'augmentation of': augmentedParts(augmentation),
    }),
  };
  if (objective === 'raw') return { objective, ...beside, seed };
  const moves = {
    neighbours,
    ...(digitMoves !== 'any' && { [NUMBERS_MOVE_AMONG]: digitMoves }),
  };
  if (objective === 'pseudonymized') return { objective, ...moves, ...beside, seed };
  if (objective === 'augmented') {
    return { objective, ...moves, 'pseudonymised copies': copies, ...beside, seed };
  }
  return {
    ...{ objective, ...moves },
    ...beside,
    ...prices(objective, config),
    ...generalStatement(objective, config),
    ...(outputNoiseFactor !== 1 && { 'output noise multiplied by': outputNoiseFactor }),
    seed,
  };
}

function augmentedParts({ phi, context }: TrainingConfig['augmentation']): string {
  return [...(phi ? ['PHI'] : []), ...(context ? ['context'] : [])].join(' and ');
}

/** What stands between the representation and its adversary, by the objective's own name. */
function prices(objective: PrivateObjective, { lambda, certified, dann }: TrainingConfig) {
  if (objective === 'dann') return { 'lambda of gradient reversal': dann.lambda };
  const P3 = { 'lambda of P3': lambda };
  if (objective === 'adversarial') return P3;
  return {
    ...(certified.after === 'P3' && P3),
    'lambda of the certified objective': certified.lambda,
    ...(certified.tail > 0 && { 'tail of the certified objective': certified.tail }),
    ...(certified.lowerCase !== 1 && { 'weight of words in lower case': certified.lowerCase }),
  };
}

/** What f learned besides the labels; gradient reversal reads none of it. */
function generalStatement(objective: PrivateObjective, { general }: TrainingConfig): Facts {
  if (objective === 'dann' || general.objective === 'none') return {};
  return {
    'general objective': general.objective,
    'weight of the general objective': general.weight,
    ...(general.units > 0 && { 'hidden units of its heads': general.units }),
    ...(general.objective === 'masked-word' && { 'share of words masked': general.maskedShare }),
    ...(general.objective === 'clusters' && { 'clusters of words': general.clusters }),
  };
}

/** What a manifest says of a de-identifier that was trained on the releases of a pool. */
export function pooledStatement({
  language,
  keptTypes = [],
  copies,
  own = 0,
  ownCopies = 0,
  ...facts
}: {
  /** Ids of the snapshot, and of the representation that encoded it. */
  readonly snapshot: string;
  readonly representation: string;
  /** Of the notes that the representation was trained on, where that is known. */
  readonly language?: string | undefined;
  /** What became of labelled entities before they were encoded. */
  readonly entities: EntityTreatment;
  /** Types whose entities one of the contributions kept where the others were replaced. */
  readonly keptTypes?: readonly string[] | undefined;
  /** How often the notes of its contributions left, each time with other entities; left out where all left once. */
  readonly copies?: string | undefined;
  /** Notes whose words were read beside the vectors. */
  readonly own?: number | undefined;
  /** Copies of them with other entities that each epoch had. */
  readonly ownCopies?: number | undefined;
  readonly sentences: number;
  readonly seed: number;
}): Facts {
  return {
    objective: 'pooled',
    ...(language !== undefined && { language }),
    ...(keptTypes.length > 0 && { 'types whose entities were kept': keptTypes.join(', ') }),
    ...(copies !== undefined && { copies }),
    ...(own > 0 && { [READ_IN_CLEAR]: own }),
    ...(own > 0 && ownCopies > 0 && { 'replaced copies': ownCopies }),
    ...facts,
  };
}

/** The best validation loss of each stage that was not left out. */
export function validationLosses(
  stages: Readonly<Record<string, StageResult>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(stages).flatMap(([name, { best }]) =>
      best ? [[`${name} validation loss`, best.monitor]] : [],
    ),
  );
}

/** How each stage went, for people. */
export function stageLines(stages: Readonly<Record<string, StageResult>>): string[] {
  return Object.entries(stages).map(([name, { epochs, bestEpoch, best, remedies }]) => {
    if (!best) return `${name}: left out`;
    const loss = best.monitor.toFixed(4);
    const note = remedies > 0 ? `; put right ${remedies} times, see metrics.jsonl` : '';
    return `${name}: best of ${epochs} epochs is ${bestEpoch}, validation ${loss}${note}`;
  });
}
