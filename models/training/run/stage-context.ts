import type { Progress } from '../../../platform/progress.js';
import type { Random } from '../../tensor/random.js';
import type { RunDirectory } from './run-directory.js';

/** What a stage trains, and where its state is kept. */
export interface StageContext {
  /** All randomness of an epoch comes from its own fork, so a resumed run continues the same. */
  readonly random: Random;
  readonly run?: RunDirectory | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
  /** Waited for after each epoch, once the run's directory holds its checkpoint. */
  readonly epochKept?: ((epoch: number) => Promise<void>) | undefined;
  /** Asked after each epoch: true ends the stage as if it had come to its last. */
  readonly expired?: (() => boolean) | undefined;
}
