import { access, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { writeFailure } from '../../platform/system-error.js';
import { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import { readSafetensors, writeSafetensors } from '../bundle/safetensors.js';
import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import { type EpochRecord, MetricsFile } from './metrics-file.js';
import type { StageState } from './stage-state.js';

export type { EpochRecord } from './metrics-file.js';

/** The part of a checkpoint that is not weights; names the weights file that belongs to it. */
type CheckpointIndex = Omit<StageState, 'networks' | 'bestNetworks' | 'optimisers'> & {
  readonly weights: string;
  /** What `metrics.jsonl` says of the epoch, or is to say; absent where it did before the checkpoint. */
  readonly record?: EpochRecord;
};

const checkIndex = validator<CheckpointIndex>(
  {
    type: 'object',
    required: ['stage', 'epoch', 'bestEpoch', 'best', 'finished', 'weights'],
    properties: {
      stage: { type: 'string' },
      epoch: { type: 'integer' },
      bestEpoch: { type: 'integer' },
      best: { type: ['object', 'null'] },
      finished: { type: 'boolean' },
      weights: { type: 'string', pattern: '^[^/\\\\]+$' },
      record: { type: 'object' },
    },
  },
  'checkpoint-invalid',
  'the checkpoint',
);

const CONFIG = 'config.json';
const CHECKPOINTS = 'checkpoints';
/** What `save` writes before a checkpoint names it. */
const REPLACED = /\.(safetensors|part(ial)?)$/;

/** Whether a run was begun in `directory`. */
export async function hasRun(directory: string): Promise<boolean> {
  return access(path.join(directory, CONFIG)).then(
    () => true,
    () => false,
  );
}

/** Throws `file-not-found` where no run was begun in `directory`; `what` is what it is called. */
export async function requireRun(directory: string, what = 'run'): Promise<void> {
  if (await hasRun(directory)) return;
  throw new TacetError(
    'file-not-found',
    `${directory} holds no ${what} to resume: check the name, or leave --resume out to begin one`,
  );
}

/**
 * One training run on disk: `config.json`, `metrics.jsonl` with a line an epoch, and in
 * `checkpoints/` the newest state of every stage.
 */
export class RunDirectory {
  readonly #metrics: MetricsFile;

  private constructor(readonly path: string) {
    this.#metrics = new MetricsFile(path);
  }

  /**
   * Creates the directory, or with `resume` continues one whose configuration is the same. A key of
   * `defaults` that the run's file lacks is newer than the run, which went by its default. Throws
   * `file-exists`, or with `resume` `file-not-found` where no run was begun and `checkpoint-invalid`
   * where a file of the run is not what it is to continue from; `disk-full` or `file-unwritable`.
   */
  static async open(
    directory: string,
    config: unknown,
    { resume = false, defaults = {} }: { resume?: boolean; defaults?: object } = {},
  ): Promise<RunDirectory> {
    const file = path.join(directory, CONFIG);
    const text = `${JSON.stringify(config, null, 2)}\n`;
    if (resume) await requireRun(directory);
    const existing = await readFile(file, 'utf8').catch(() => null);
    if (existing !== null && !resume) {
      throw new TacetError(
        'file-exists',
        `${directory} already holds a run: choose another directory, or resume it`,
      );
    }
    if (
      existing !== null &&
      !isDeepStrictEqual(completed(parsed(existing, file), defaults), JSON.parse(text))
    ) {
      throw new TacetError(
        'checkpoint-invalid',
        `${file} differs from this run's configuration: a run resumes with the one it began with`,
      );
    }
    await makeFolder(path.join(directory, CHECKPOINTS));
    if (existing === null) await writeAtomically(file, text);
    const run = new RunDirectory(directory);
    if (existing !== null) await run.#mend();
    return run;
  }

  /** Goes on with the run in the directory, or begins it where there is none. Throws as `open` does. */
  static async beginOrResume(directory: string, config: unknown): Promise<RunDirectory> {
    return RunDirectory.open(directory, config, { resume: await hasRun(directory) });
  }

  /** Writes a file of facts about the run beside its configuration. */
  async describe(name: string, facts: object): Promise<void> {
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    await writeAtomically(path.join(this.path, name), text);
  }

  /** What was recorded of a stage's epochs, in order. */
  async epochs(stage: string): Promise<EpochRecord[]> {
    return (await this.#metrics.read()).filter((each) => each.stage === stage);
  }

  /**
   * Replaces the checkpoint of `state.stage`; at any instant one whole checkpoint is there. The
   * record of an epoch that has just ended is appended to the metrics. Throws `disk-full` or
   * `file-unwritable`, and the checkpoint before is still there.
   */
  async save(state: StageState, record?: EpochRecord): Promise<void> {
    const { networks, bestNetworks, optimisers, ...rest } = state;
    const before = await this.#index(state.stage);
    const part = state.remedyDue ? '-unremedied' : '';
    const weights = `${state.stage}-${state.epoch}${part}.safetensors`;
    const arrays = flatten({ networks, bestNetworks, optimisers });
    await this.#replace(weights, writeSafetensors(arrays));
    const index: CheckpointIndex = { ...rest, weights, ...(record && { record }) };
    await this.#replace(`${state.stage}.json`, Buffer.from(JSON.stringify(index)));
    if (record) await this.#metrics.append(record);
    if (before && before.weights !== weights) {
      await rm(this.#checkpoint(before.weights), { force: true });
    }
  }

  /** The newest epoch of a stage that there is a checkpoint of; null where there is none. */
  async lastEpoch(stage: string): Promise<number | null> {
    return (await this.#index(stage))?.epoch ?? null;
  }

  /**
   * The newest checkpoint of a stage, or null when it never ended an epoch. Throws
   * `checkpoint-invalid`, naming the file that is missing or damaged.
   */
  async latest(stage: string): Promise<StageState | null> {
    const index = await this.#index(stage);
    if (!index) return null;
    const { weights, record: _, ...rest } = index;
    const file = this.#checkpoint(weights);
    const arrays = await readFile(file)
      .then((bytes) => readSafetensors(bytes))
      .catch((cause: NodeJS.ErrnoException) => {
        const fault = cause.code === 'ENOENT' ? 'is missing' : 'cannot be read';
        throw damaged(file, fault, this.#checkpoint(`${stage}.json`), cause);
      });
    return {
      ...rest,
      networks: unflatten(arrays, 'networks'),
      bestNetworks: unflatten(arrays, 'bestNetworks'),
      optimisers: unflatten(arrays, 'optimisers'),
    };
  }

  async #index(stage: string): Promise<CheckpointIndex | null> {
    const file = this.#checkpoint(`${stage}.json`);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return checkIndex(JSON.parse(text));
    } catch (cause) {
      throw damaged(file, 'is not the JSON of a checkpoint', file, cause);
    }
  }

  /**
   * Whatever an interruption or a full disk left undone: half a line, an epoch that has a checkpoint
   * alone, weights that no checkpoint names.
   */
  async #mend(): Promise<void> {
    await this.#metrics.cutTornLine();
    const known = await this.#metrics.read();
    const files = await readdir(path.join(this.path, CHECKPOINTS));
    const named = new Set<string>();
    for (const file of files.filter((name) => name.endsWith('.json'))) {
      named.add(file);
      const index = await this.#index(path.basename(file, '.json'));
      if (index) named.add(index.weights);
      const record = index?.record;
      if (!record) continue;
      const isKnown = known.some(
        ({ stage, epoch }) => stage === record.stage && epoch === record.epoch,
      );
      if (!isKnown) await this.#metrics.append(record);
    }
    const left = files.filter((file) => !named.has(file) && REPLACED.test(file));
    for (const file of left) await rm(this.#checkpoint(file), { force: true });
  }

  async #replace(name: string, bytes: Uint8Array): Promise<void> {
    await writeAtomically(this.#checkpoint(name), bytes);
  }

  #checkpoint(name: string): string {
    return path.join(this.path, CHECKPOINTS, name);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw writeFailure(error, folder);
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TacetError(
      'checkpoint-invalid',
      `${file} is not the JSON of a run's configuration: start anew in another directory`,
      { cause },
    );
  }
}

/** `index` is what to remove so that the stage trains again. */
function damaged(file: string, fault: string, index: string, cause: unknown): TacetError {
  return new TacetError(
    'checkpoint-invalid',
    `${file} ${fault}: put it back, or remove ${index}, and its stage trains again from its start`,
    { cause },
  );
}

/** A run's configuration with the keys of `defaults` that it lacks. */
function completed(config: unknown, defaults: object): unknown {
  const overlay = (usual: unknown, given: unknown): unknown =>
    isRecord(usual) && isRecord(given)
      ? Object.fromEntries(
          [...new Set([...Object.keys(usual), ...Object.keys(given)])].map((key) => [
            key,
            key in given ? overlay(usual[key], given[key]) : usual[key],
          ]),
        )
      : given;
  return overlay(JSON.parse(JSON.stringify(defaults)), config);
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
