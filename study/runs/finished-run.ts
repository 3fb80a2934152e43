import path from 'node:path';
import { recordedConfig, type TrainingConfig } from '../../models/training/configuration/config.js';
import type { EpochRecord } from '../../models/training/run/metrics-file.js';
import { loadNetworks, type TrainedNetworks } from '../../models/training/run/trained-networks.js';
import { textIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { requireJson } from '../../proto/json-text.js';
import { epochsOf } from './epoch-records.js';

/** What a run was trained on, as its `config.json` names it: digests, and the backend. */
export interface RunIdentity {
  readonly backend: string;
  readonly scheme: string;
  readonly embeddings: string;
  readonly corpus: string;
  /** Text without labels that was learned on besides. */
  readonly unlabelled?: string;
  /** BCP 47, where copies of the notes were drawn by it. */
  readonly language?: string;
}

/** A training run that came to its end. */
export interface FinishedRun extends RunIdentity {
  readonly directory: string;
  readonly kind: string;
  readonly config: TrainingConfig;
  /** Every epoch of every stage, in the order that they ran. */
  readonly epochs: readonly EpochRecord[];
}

/**
 * Reads a run. A setting that its `config.json` lacks comes with the default of this version, which is
 * what the run went by as long as that default has not changed since. Throws `file-not-found` where
 * there is no run, `config-invalid` where its configuration is none, `file-unreadable` where it cannot be
 * read or its `metrics.jsonl` is damaged.
 */
export async function openFinishedRun(directory: string): Promise<FinishedRun> {
  const file = path.join(directory, 'config.json');
  const text = await textIfThere(file);
  if (text === undefined)
    throw new TacetError('file-not-found', `${directory} holds no run: ${file} is missing`);
  const { kind, backend, scheme, embeddings, corpus, unlabelled, language, ...rest } = parse(
    text,
    file,
  );
  for (const each of [
    kind,
    backend,
    scheme,
    embeddings,
    corpus,
    unlabelled ?? '',
    language ?? '',
  ]) {
    if (typeof each === 'string') continue;
    throw new TacetError('config-invalid', `${file}: expected the record of tacet train`);
  }
  const beside = {
    ...(unlabelled !== undefined && { unlabelled }),
    ...(language !== undefined && { language }),
  };
  const identity = { kind, backend, scheme, embeddings, corpus, ...beside } as RunIdentity & {
    kind: string;
  };
  const config = recordedConfig(rest, file);
  return { directory, ...identity, config, epochs: await epochsOf(directory) };
}

/** The networks of a run by name. Throws `file-not-found` where it has not come to its end. */
export function networksOfRun({ directory }: FinishedRun): Promise<TrainedNetworks> {
  return loadNetworks(directory);
}

function parse(text: string, file: string): Record<string, unknown> {
  const found = requireJson(text, 'config-invalid', `${file}: expected JSON`);
  if (typeof found === 'object' && found !== null) return found as Record<string, unknown>;
  throw new TacetError('config-invalid', `${file}: expected the record of tacet train`);
}
