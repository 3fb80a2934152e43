import { TacetError } from '../../../proto/errors.js';
import type { StageContext } from './stage-context.js';
import type { StageState } from './stage-state.js';

/**
 * A stage whose best epoch is so many nats a token above guessing has learned nothing: fresh weights,
 * whose emissions are bounded, begin less than that above it.
 */
const MARGIN = 1;

/** What to say of training that cannot go on; `place` says where in it that was. */
export async function divergenceError(
  stage: string,
  place: string,
  what: string,
  { run }: Pick<StageContext, 'run'>,
  cause?: Error,
): Promise<TacetError> {
  const epoch = await run?.lastEpoch(stage);
  const kept = epoch ? `epoch ${epoch} is the last one of ${stage}` : `no epoch of ${stage}`;
  const advice = run
    ? `${kept} that ${run.path} keeps; resumed with the same configuration, it diverges again: ` +
      'start anew, in another directory, with a lower learning rate'
    : 'no checkpoint was kept; start anew with a lower learning rate';
  return new TacetError('training-diverged', `${place}: ${what}; ${advice}`, { cause });
}

/** Throws `training-diverged` where a stage that trains a de-identifier ended far above guessing. */
export async function requireConverged(
  { stage, epoch, best, bestEpoch }: StageState,
  guessing: number | undefined,
  context: Pick<StageContext, 'run'>,
): Promise<void> {
  if (guessing === undefined || best === null || best.l_deid <= guessing + MARGIN) return;
  const what =
    `the best of ${epoch} epochs (${bestEpoch}) has a validation l_deid of ` +
    `${best.l_deid.toPrecision(4)} a token, where guessing costs ${guessing.toPrecision(4)}`;
  throw await divergenceError(stage, stage, what, context);
}
