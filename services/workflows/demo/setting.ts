import type { KeyFiles } from '../../../models/bundle/key-files.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { Random } from '../../../models/tensor/random.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/config.js';
import type { StageContext } from '../../../models/training/stage-context.js';
import type { PrivateObjective } from '../../../models/training/statement.js';
import type { Context } from '../context.js';
import type { Narrator } from './narrator.js';
import type { Parts } from './parts.js';
import type { DemoServers } from './servers.js';

/** How the provider trains: in the paper's three phases, or on the certified objective. */
export type DemoObjective = Exclude<PrivateObjective, 'dann'>;
export const OBJECTIVES: readonly DemoObjective[] = ['certified', 'adversarial'];

export interface DemoOptions {
  /** Everything that the demo writes lies in here. */
  readonly directory: string;
  readonly parts: Parts;
  readonly scheme: LabelScheme;
  readonly embeddings: Embeddings;
  readonly embeddingsName: string;
  /** For people: what the provider's notes come from. */
  readonly corpusName: string;
  readonly config: TrainingConfig;
  readonly objective: DemoObjective;
}

/** What every step of the demo is given. */
export interface DemoSetting extends DemoOptions {
  readonly servers: DemoServers;
  /** The provider's keys; the public one is what everyone else pins. */
  readonly publisher: KeyFiles;
  readonly context: Context;
  readonly narrator: Narrator;
}

/** A training run of its own within the demo, so that its order among the others changes nothing. */
export function stageContext({ config, context }: DemoSetting, run: string): StageContext {
  const { signal, progress } = context;
  return {
    random: new Random(config.seed).fork(run),
    signal,
    progress: (event) => progress({ ...event, step: `${run}: ${event.step}` }),
  };
}
