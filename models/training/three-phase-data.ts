import type { Candidates } from '../embeddings/candidates.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Adversary } from '../networks/adversary.js';
import type { Deidentifier } from '../networks/deidentifier.js';
import type { Representation } from '../networks/representation.js';
import type { TextExample } from './data/examples.js';
import type { Turns } from './data/turns.js';
import type { GeneralTask } from './general/general-task.js';

export interface ThreePhaseData {
  readonly train: readonly TextExample[];
  /** Which of `train` each epoch learns l_deid from; all where there is none. */
  readonly turns?: Turns | undefined;
  readonly validation: readonly TextExample[];
  readonly vocabulary: Vocabulary;
  readonly candidates: Candidates;
  /** L, the number of IOB2 labels. */
  readonly labels: number;
  /** What f learns besides the labels, where it does. */
  readonly general?: GeneralTask | undefined;
}

export interface ThreePhaseNetworks {
  readonly representation: Representation;
  readonly deidentifier: Deidentifier;
  readonly adversary: Adversary;
}
