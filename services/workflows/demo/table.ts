import { hundredths } from '../../../platform/percent-text.js';
import { alignedTable } from '../../../study/report/text-table.js';
import type { Scores } from './baselines.js';

/** One way of training a de-identifier, scored on the unseen notes. */
export interface Row {
  readonly name: string;
  /** What left the institutions for it. */
  readonly shared: string;
  readonly scores: Scores;
}

/** The demo's result: binary token scores with 95 % intervals over documents. */
export function comparisonTable(rows: readonly Row[]): string[] {
  const cells = rows.map(({ name, shared, scores }) => [
    name,
    scoreText(scores.f1, scores.f1Interval),
    scoreText(scores.recall, scores.recallInterval),
    shared,
  ]);
  return alignedTable([['', 'binary F1', 'recall', 'what left the institutions'], ...cells]);
}

function scoreText(value: number, interval: Scores['f1Interval']): string {
  return interval
    ? `${hundredths(value)} [${interval.map((end) => hundredths(end)).join(', ')}]`
    : hundredths(value);
}
