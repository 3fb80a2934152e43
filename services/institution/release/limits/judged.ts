import type { Certificate } from './certify.js';

/** Tells of the tokens of sentences whether they leave. */
export type Leaves = (sentence: number, token: number) => boolean;

/** What is judged: charges by sentence, and the labels of each. */
export type Judged = Pick<Certificate, 'charges' | 'moves' | 'formsOf' | 'immovableEntities'> & {
  /** By sentence, [T]. */
  readonly labels: readonly Uint8Array[];
  /** What leaves of the sentences that are not withheld, where that is not all of them. */
  readonly leavesOf?: ((withheld: readonly boolean[]) => Leaves) | undefined;
};
