import type { TrainingConfig } from './config.js';
import type { StageResult } from './stage.js';

export type PrivateObjective = 'adversarial' | 'certified' | 'dann';

/** What a manifest says of how a representation was trained. */
export function trainingStatement(
  objective: PrivateObjective,
  { neighbours, lambda, certified, dann, seed }: TrainingConfig,
  documents: number,
) {
  if (objective === 'dann') {
    return { objective, documents, neighbours, 'lambda of gradient reversal': dann.lambda, seed };
  }
  const P3 = { 'lambda of P3': lambda };
  if (objective === 'adversarial') return { objective, documents, neighbours, ...P3, seed };
  return {
    ...{ objective, documents, neighbours },
    ...(certified.after === 'P3' && P3),
    'lambda of the certified objective': certified.lambda,
    seed,
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
