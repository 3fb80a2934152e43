import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import type { Corpus } from '../../../models/training/corpus-statement.js';
import type { Material } from '../../../study/runs/subject.js';
import type { Training } from './training-kinds.js';

/** One run of `tacet train`: what on, how, and where to. */
export interface TrainingTask {
  readonly training: Training;
  readonly config: TrainingConfig;
  readonly directory: string;
  readonly material: Omit<Material, 'heldOut'>;
  /** Public text that f learns on beside the notes; its spans do not count. */
  readonly unlabelled?: Corpus | undefined;
  readonly backend: string;
  /** What is published of it is called so. */
  readonly name: string;
  readonly version: string;
  readonly resume: boolean;
}
