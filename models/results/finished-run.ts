import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TacetError } from '../../proto/errors.js';
import { type TrainingConfig, trainingConfig } from '../training/config.js';
import type { EpochRecord } from '../training/run-directory.js';
import { loadNetworks, type TrainedNetworks } from '../training/trained-networks.js';

/** What a run was trained on, as its `config.json` names it: digests, and the backend. */
export interface RunIdentity {
  readonly backend: string;
  readonly scheme: string;
  readonly embeddings: string;
  readonly corpus: string;
}

/** A training run that came to its end. */
export interface FinishedRun extends RunIdentity {
  readonly directory: string;
  readonly kind: string;
  readonly config: TrainingConfig;
  /** Every epoch of every stage, in the order that they ran. */
  readonly epochs: readonly EpochRecord[];
}

/** Throws `file-not-found` where there is no run, `config-invalid` where it is of another kind. */
export async function openFinishedRun(directory: string): Promise<FinishedRun> {
  const file = path.join(directory, 'config.json');
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new TacetError('file-not-found', `${directory} holds no run: ${file} is missing`, {
      cause,
    });
  });
  const { kind, backend, scheme, embeddings, corpus, ...rest } = parse(text, file);
  for (const each of [kind, backend, scheme, embeddings, corpus]) {
    if (typeof each === 'string') continue;
    throw new TacetError('config-invalid', `${file}: expected the record of tacet train`);
  }
  const identity = { kind, backend, scheme, embeddings, corpus } as RunIdentity & { kind: string };
  const config = trainingConfig(rest, file);
  return { directory, ...identity, config, epochs: await epochsOf(directory) };
}

/** The networks of a run by name. Throws `file-not-found` where it has not come to its end. */
export function networksOfRun({ directory }: FinishedRun): Promise<TrainedNetworks> {
  return loadNetworks(directory);
}

/** The lines of a directory's `metrics.jsonl`; none where there is no such file. */
export async function epochsOf(directory: string): Promise<EpochRecord[]> {
  const text = await readFile(path.join(directory, 'metrics.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EpochRecord);
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new TacetError('config-invalid', `${file}: expected JSON`, { cause });
  }
}
