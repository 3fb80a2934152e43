import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { makeFolders } from '../../../platform/files/make-folders.js';
import { textIfThere } from '../../../platform/files/optional-file.js';
import { writeFailure } from '../../../platform/system-error.js';
import { TacetError } from '../../../proto/errors.js';
import { Type } from '../../../proto/typebox.js';
import type { TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';
import { readSafetensors, writeSafetensors } from '../../bundle/safetensors.js';
import type { NamedArray, NamedArrays } from '../../networks/named-arrays.js';
import type { EpochRecord } from './metrics-file.js';
import type { StageState } from './stage-state.js';

/** The part of a checkpoint that is not weights; names the weights file that belongs to it. */
const INDEX = Type.Object({
  stage: Type.String(),
  epoch: Type.Integer(),
  bestEpoch: Type.Integer(),
  best: Type.Unsafe<StageState['best']>({ type: ['object', 'null'] }),
  finished: Type.Boolean(),
  weights: Type.String({ pattern: '^[^/\\\\]+$' }),
  /** What `metrics.jsonl` says of the epoch, or is to say; absent where it did before the checkpoint. */
  record: Type.Optional(Type.Unsafe<EpochRecord>({ type: 'object' })),
});
type CheckpointIndex = TypeOf<typeof INDEX> & Pick<StageState, 'remedies' | 'remedyDue'>;

const checkIndex = validator(INDEX, 'checkpoint-invalid', 'the checkpoint');

/** What `save` writes before a checkpoint names it. */
const REPLACED = /\.(safetensors|part(ial)?)$/;

/** `checkpoints/` of a run: the newest state of every stage, a JSON file and one of weights each. */
export class Checkpoints {
  constructor(private readonly folder: string) {}

  /** Throws `disk-full` or `file-unwritable`. */
  async create(): Promise<void> {
    try {
      makeFolders(this.folder);
    } catch (error) {
      throw writeFailure(error, this.folder);
    }
  }

  /**
   * Replaces the checkpoint of `state.stage`; at any instant one whole checkpoint is there. `record`
   * is the epoch's line in the metrics, for `unrecorded`. Throws `disk-full` or `file-unwritable`,
   * and the checkpoint before is still there.
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
    if (before && before.weights !== weights) {
      await rm(this.#path(before.weights), { force: true });
    }
  }

  /** The newest epoch of a stage; null where there is no checkpoint of it. Throws as `latest`. */
  async lastEpoch(stage: string): Promise<number | null> {
    return (await this.#index(stage))?.epoch ?? null;
  }

  /**
   * The newest checkpoint of a stage, or null when it never ended an epoch. Throws
   * `checkpoint-invalid`, naming the file that is missing or damaged, or `file-unreadable`.
   */
  async latest(stage: string): Promise<StageState | null> {
    const index = await this.#index(stage);
    if (!index) return null;
    const { weights, record: _, ...rest } = index;
    const file = this.#path(weights);
    const arrays = await readFile(file)
      .then((bytes) => readSafetensors(bytes))
      .catch((cause: NodeJS.ErrnoException) => {
        const fault = cause.code === 'ENOENT' ? 'is missing' : 'cannot be read';
        throw damageError(file, fault, this.#path(`${stage}.json`), cause);
      });
    const stray = Object.keys(arrays).find((key) => !KEY.test(key));
    if (stray !== undefined) {
      const fault = `holds ${JSON.stringify(stray)}, expected group:owner:name`;
      throw damageError(file, fault, this.#path(`${stage}.json`));
    }
    return {
      ...rest,
      networks: unflatten(arrays, 'networks'),
      bestNetworks: unflatten(arrays, 'bestNetworks'),
      optimisers: unflatten(arrays, 'optimisers'),
    };
  }

  async #index(stage: string): Promise<CheckpointIndex | null> {
    const file = this.#path(`${stage}.json`);
    const text = await textIfThere(file);
    if (text === undefined) return null;
    try {
      return checkIndex(JSON.parse(text));
    } catch (cause) {
      throw damageError(file, 'is not the JSON of a checkpoint', file, cause);
    }
  }

  /** Removes weights that no checkpoint names; returns the records of the epochs that are kept. */
  async mend(): Promise<EpochRecord[]> {
    const files = await readdir(this.folder);
    const stages = files.filter((name) => name.endsWith('.json'));
    const indices = await Promise.all(
      stages.map((name) => this.#index(path.basename(name, '.json'))),
    );
    const named = new Set([...stages, ...indices.flatMap((index) => index?.weights ?? [])]);
    const left = files.filter((file) => !named.has(file) && REPLACED.test(file));
    for (const file of left) await rm(this.#path(file), { force: true });
    return indices.flatMap((index) => index?.record ?? []);
  }

  async #replace(name: string, bytes: Uint8Array): Promise<void> {
    await writeAtomically(this.#path(name), bytes);
  }

  #path(name: string): string {
    return path.join(this.folder, name);
  }
}

/** `index` is what to remove so that the stage trains again. */
function damageError(file: string, fault: string, index: string, cause?: unknown): TacetError {
  return new TacetError(
    'checkpoint-invalid',
    `${file} ${fault}: put it back, or remove ${index}, and its stage trains again from its start`,
    { cause },
  );
}

/** `group:owner:name`, of an array in a weights file. */
const KEY = /^(networks|bestNetworks|optimisers):[^:]+:[^:]+$/;

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

/** Owners and names are the file's, and may be those of what an object inherits. */
function unflatten(arrays: NamedArrays, wanted: string): Record<string, NamedArrays> {
  const owners: Record<string, Record<string, NamedArray>> = Object.create(null);
  for (const [key, array] of Object.entries(arrays)) {
    const [group, owner, name] = key.split(':');
    if (group !== wanted) continue;
    owners[owner] ??= Object.create(null) as Record<string, NamedArray>;
    owners[owner][name] = array;
  }
  return owners;
}
