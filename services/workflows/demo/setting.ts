import path from 'node:path';
import type { KeyFiles } from '../../../models/bundle/key-files.js';
import type { Trust } from '../../../models/bundle/verify.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import type { Document } from '../../../models/text/document.js';
import type { LabelScheme } from '../../../models/text/label-scheme.js';
import type { TrainingConfig } from '../../../models/training/configuration/config.js';
import type { Objective, PrivateObjective } from '../../../models/training/statement.js';
import type { Context } from '../context.js';
import { trainingOf } from '../train/training-kinds.js';
import type { TrainingTask } from '../train/training-task.js';
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
  /** Where those come from: a file, or `wink`. */
  readonly embeddingsSource: string;
  /** For people: what the provider's notes come from. */
  readonly corpusName: string;
  /** Of all notes (BCP 47): entities that replace others are written as is common in it. */
  readonly language: string | undefined;
  readonly config: TrainingConfig;
  readonly objective: DemoObjective;
  /** What becomes of the institutions' labelled entities. */
  readonly entities: 'replace' | 'keep';
  readonly backend: string;
}

/** What every step of the demo is given. */
export interface DemoSetting extends DemoOptions {
  readonly servers: DemoServers;
  /** The provider's keys. */
  readonly publisher: KeyFiles;
  /** The public one of them, which everyone else pins. */
  readonly trust: Trust;
  readonly context: Context;
  readonly narrator: Narrator;
}

export const VERSION = '1.0.0';

/** A training run of its own within the demo; what is published of it is called `name`. */
export function trainingTask(
  { scheme, embeddings, embeddingsSource, corpusName, language, config, backend }: DemoSetting,
  kind: Objective,
  documents: readonly Document[],
  { directory, name }: Pick<TrainingTask, 'directory' | 'name'>,
): TrainingTask {
  const notes = { documents, scheme, corpusName, language };
  return {
    ...{ training: trainingOf(kind), config, directory, backend, name, version: VERSION },
    material: { ...notes, embeddings, embeddingsName: path.basename(embeddingsSource) },
    resume: false,
  };
}

/** What a workflow within the demo is given: its progress names its part, and the demo speaks for it. */
export function workOf({ context }: DemoSetting, part: string): Omit<Context, 'result'> {
  const { signal, progress } = context;
  return {
    signal,
    progress: (event) => progress({ ...event, step: `${part}: ${event.step}` }),
    say: () => {},
  };
}
