import { appendFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { TacetError } from '../../proto/errors.js';
import { readSafetensors, writeSafetensors } from '../bundle/safetensors.js';
import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import type { Metrics, StageState } from './stage.js';

export interface EpochRecord {
  readonly stage: string;
  readonly epoch: number;
  readonly train: Metrics;
  readonly validation: Metrics;
  readonly tokens: number;
  readonly seconds: number;
  /** What had to be put right after the epoch. */
  readonly remedy?: string;
}

/** The part of a checkpoint that is not weights; names the weights file that belongs to it. */
type CheckpointIndex = Omit<StageState, 'networks' | 'bestNetworks' | 'optimisers'> & {
  readonly weights: string;
};

/**
 * One training run on disk: `config.json`, `metrics.jsonl` with a line an epoch, and in
 * `checkpoints/` the newest state of every stage.
 */
export class RunDirectory {
  private constructor(readonly path: string) {}

  /**
   * Creates the directory, or with `resume` continues one whose configuration is the same. A key of
   * `defaults` that the run's file lacks is newer than the run, which went by its default.
   */
  static async open(
    directory: string,
    config: unknown,
    { resume = false, defaults = {} }: { resume?: boolean; defaults?: object } = {},
  ): Promise<RunDirectory> {
    const file = path.join(directory, 'config.json');
    const text = `${JSON.stringify(config, null, 2)}\n`;
    const existing = await readFile(file, 'utf8').catch(() => null);
    if (existing !== null && !resume) {
      throw new TacetError(
        'file-exists',
        `${directory} already holds a run: choose another directory, or resume it`,
      );
    }
    if (existing !== null && !isDeepStrictEqual(completed(existing, defaults), JSON.parse(text))) {
      throw new TacetError(
        'checkpoint-invalid',
        `${file} differs from this run's configuration: a run resumes with the one it began with`,
      );
    }
    await mkdir(path.join(directory, 'checkpoints'), { recursive: true });
    if (existing === null) await writeFile(file, text);
    return new RunDirectory(directory);
  }

  async record(epoch: EpochRecord): Promise<void> {
    await appendFile(path.join(this.path, 'metrics.jsonl'), `${JSON.stringify(epoch)}\n`);
  }

  /** Writes a file of facts about the run beside its configuration. */
  async describe(name: string, facts: object): Promise<void> {
    await writeFile(path.join(this.path, name), `${JSON.stringify(facts, null, 2)}\n`);
  }

  /** What was recorded of a stage's epochs, in order. */
  async epochs(stage: string): Promise<EpochRecord[]> {
    const text = await readFile(path.join(this.path, 'metrics.jsonl'), 'utf8').catch(() => '');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines
      .map((line) => JSON.parse(line) as EpochRecord)
      .filter((each) => each.stage === stage);
  }

  /** Replaces the checkpoint of `state.stage`; at any instant one whole checkpoint is there. */
  async save(state: StageState): Promise<void> {
    const { networks, bestNetworks, optimisers, ...rest } = state;
    const before = await this.#index(state.stage);
    const weights = `${state.stage}-${state.epoch}.safetensors`;
    const arrays = flatten({ networks, bestNetworks, optimisers });
    await this.#replace(weights, writeSafetensors(arrays));
    const index: CheckpointIndex = { ...rest, weights };
    await this.#replace(`${state.stage}.json`, Buffer.from(JSON.stringify(index)));
    if (before && before.weights !== weights) await rm(this.#checkpoint(before.weights));
  }

  /** The newest checkpoint of a stage, or null when it never ended an epoch. */
  async latest(stage: string): Promise<StageState | null> {
    const index = await this.#index(stage);
    if (!index) return null;
    const { weights, ...rest } = index;
    const arrays = readSafetensors(await readFile(this.#checkpoint(weights)));
    return {
      ...rest,
      networks: unflatten(arrays, 'networks'),
      bestNetworks: unflatten(arrays, 'bestNetworks'),
      optimisers: unflatten(arrays, 'optimisers'),
    };
  }

  async #index(stage: string): Promise<CheckpointIndex | null> {
    const text = await readFile(this.#checkpoint(`${stage}.json`), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as CheckpointIndex);
  }

  async #replace(name: string, bytes: Uint8Array): Promise<void> {
    const temporary = this.#checkpoint(`${name}.part`);
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.#checkpoint(name));
  }

  #checkpoint(name: string): string {
    return path.join(this.path, 'checkpoints', name);
  }
}

/** A run's configuration file with the keys of `defaults` that it lacks. */
function completed(text: string, defaults: object): unknown {
  const overlay = (usual: unknown, given: unknown): unknown =>
    isRecord(usual) && isRecord(given)
      ? Object.fromEntries(
          [...new Set([...Object.keys(usual), ...Object.keys(given)])].map((key) => [
            key,
            key in given ? overlay(usual[key], given[key]) : usual[key],
          ]),
        )
      : given;
  return overlay(JSON.parse(JSON.stringify(defaults)), JSON.parse(text));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Groups = Readonly<Record<string, Readonly<Record<string, NamedArrays>>>>;

/** `{group: {owner: {name: array}}}` to `{'group:owner:name': array}`. */
function flatten(groups: Groups): NamedArrays {
  const arrays: Record<string, NamedArray> = {};
  for (const [group, owners] of Object.entries(groups)) {
    for (const [owner, named] of Object.entries(owners)) {
      for (const [name, array] of Object.entries(named)) {
        arrays[`${group}:${owner}:${name}`] = array;
      }
    }
  }
  return arrays;
}

function unflatten(arrays: NamedArrays, wanted: string): Record<string, NamedArrays> {
  const owners: Record<string, Record<string, NamedArray>> = {};
  for (const [key, array] of Object.entries(arrays)) {
    const [group, owner, name] = key.split(':');
    if (group !== wanted) continue;
    owners[owner] ??= {};
    owners[owner][name] = array;
  }
  return owners;
}
