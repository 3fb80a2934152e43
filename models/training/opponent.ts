import { Adversary } from '../networks/adversary.js';
import type { Random } from '../tensor/random.js';
import { Learner, type LearnerOptions } from './learner.js';

/** An adversary that the representation learns against, and the optimiser that moves it. */
export class Opponent {
  readonly learner: Learner;

  constructor(
    readonly name: string,
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
}
