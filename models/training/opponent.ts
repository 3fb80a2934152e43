import { Adversary } from '../networks/adversary.js';
import type { Random } from '../tensor/random.js';
import { Learner } from './run/learner.js';
import type { LearnerOptions } from './run/learner-options.js';
import type { Remedy } from './run/stage.js';
import type { Metrics, Step } from './run/step.js';

/** An adversary that the representation learns against, and the optimiser that moves it. */
export class Opponent {
  readonly learner: Learner;

  constructor(
    readonly adversary: Adversary,
    options: LearnerOptions,
  ) {
    this.learner = new Learner([adversary.parameters], options);
  }

  /** Takes fresh weights and forgets the moments of the old ones. */
  restart(random: Random): void {
    const fresh = Adversary.create(this.adversary.config, random);
    this.adversary.parameters.load(fresh.parameters.toArrays());
    fresh.dispose();
    this.learner.restart();
  }

  /**
   * `restart`, with the training that belongs to it, for an adversary whose outputs on held-out pairs
   * spread less than `collapsedStddev`: it says the same of every pair. Null for any other.
   */
  remedy(
    { stddev }: Metrics,
    collapsedStddev: number,
    restart: () => Iterable<Step>,
  ): Remedy | null {
    if (!(stddev < collapsedStddev)) return null;
    return { note: 'adversary restarted: its output was constant', apply: restart };
  }
}
