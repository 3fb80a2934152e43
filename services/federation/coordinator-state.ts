import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { headOf, splitHead } from '../../platform/files/headed-bytes.js';
import { readJsonFile } from '../../platform/files/json-file.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import {
  FEDERATION_TAKEN,
  type FederationPlan,
  parseFederationPlan,
} from '../../proto/federation-plan.js';
import { COUNT, DIGEST, NAME, NATURAL } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, objectOrNull, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';

const FOLDER = 'federation';
const PLAN_FILE = 'plan.json';
const STATE_FILE = 'state.bin';
const FIRST_FILE = 'first.bin';
const WITHOUT_FIRST =
  'is missing, the weights that the federation began with and that its workers begin with, too: the file is lost, or an ' +
  'earlier version created the federation and kept none';

const PROGRESS = closedObject({
  /** From 1 on. */
  round: NATURAL,
  /** When the round began, in milliseconds since 1970. */
  since: Type.Number(),
  /** By worker, its last epoch, or the last round that it took part in. */
  taken: FEDERATION_TAKEN,
  /** Of the update that was taken last: it is in the log as soon as it is here, or at the next start. */
  last: objectOrNull(closedObject({ digest: DIGEST, worker: NAME, epoch: NATURAL })),
});

/** Beside the weights, what the coordinator must not forget. */
export type Progress = TypeOf<typeof PROGRESS>;

const RECEIVED = closedObject({ worker: NAME, texts: COUNT });

/** Updates of an open round, as their workers signed them. */
export interface Received extends TypeOf<typeof RECEIVED> {
  readonly values: Float32Array;
}

/** All that there is of a federation at one moment. */
export interface CoordinatorState {
  readonly progress: Progress;
  readonly weights: Float32Array;
  readonly counts: Uint32Array;
  /** Of the weights after so many rounds, where the plan asks for it. */
  readonly average?: { readonly weights: Float32Array; readonly rounds: number } | undefined;
  readonly received: readonly Received[];
}

/**
 * `weights` says how many numbers the arrays behind it have each: weights, counts, what was received, and, where
 * `averaged` says of how many rounds, the average.
 */
const HEADER = closedObject({
  ...PROGRESS.properties,
  ...{ weights: NATURAL, received: Type.Array(RECEIVED), averaged: Type.Optional(NATURAL) },
});

/**
 * The folder of a federation in the directory of a store: its plan, its first weights, and its state in one file,
 * replaced as a whole.
 */
export class FederationFolder {
  readonly #plan: string;
  readonly #state: string;
  readonly #first: string;

  constructor(data: string) {
    this.#plan = path.join(data, FOLDER, PLAN_FILE);
    this.#state = path.join(data, FOLDER, STATE_FILE);
    this.#first = path.join(data, FOLDER, FIRST_FILE);
  }

  /** Throws `file-not-found` or `config-invalid`. */
  async plan(): Promise<FederationPlan> {
    const stated = { what: 'plan of a federation', code: 'config-invalid' } as const;
    return parseFederationPlan(await readJsonFile(this.#plan, stated));
  }

  /** Throws `file-exists` where there is a federation already. */
  async requireNone(): Promise<void> {
    const earlier = await this.plan().catch((error: unknown) => {
      if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
      throw error;
    });
    if (earlier)
      throw new TacetError(
        'file-exists',
        `${this.#plan}: there is a federation already; take another directory for the next`,
      );
  }

  /** Throws `file-exists`, too. */
  async create(plan: FederationPlan, weights: Float32Array): Promise<void> {
    await this.requireNone();
    const progress = { round: 1, since: Date.now(), taken: {}, last: null };
    await this.write({ progress, weights, counts: new Uint32Array(weights.length), received: [] });
    await writeAtomically(this.#first, bytesOf(weights), { isPrivate: true });
    await writeAtomically(this.#plan, `${JSON.stringify(plan, null, 1)}\n`, { isPrivate: true });
  }

  async write({ progress, weights, counts, average, received }: CoordinatorState): Promise<void> {
    const header: TypeOf<typeof HEADER> = {
      ...progress,
      weights: weights.length,
      received: received.map(({ worker, texts }) => ({ worker, texts })),
      ...(average && { averaged: average.rounds }),
    };
    const values = received.map((update) => update.values);
    const arrays = [weights, counts, ...values, ...(average ? [average.weights] : [])];
    const parts = arrays.map(bytesOf);
    await writeAtomically(this.#state, [headOf(header), ...parts], { isPrivate: true });
  }

  /** Throws `checkpoint-invalid` for a file that was not written here. */
  async read(): Promise<CoordinatorState> {
    const found = splitHead(await bytesIn(this.#state));
    if (!found) throw damaged(this.#state, 'is cut off');
    const { weights, received, averaged, ...progress } = headerIn(found.header, this.#state);
    const size = 4 * weights;
    const arrays = 2 + received.length + (averaged === undefined ? 0 : 1);
    if (found.rest.length !== size * arrays) throw damaged(this.#state, 'is cut off');
    const part = (i: number) =>
      Uint8Array.from(found.rest.subarray(i * size, (i + 1) * size)).buffer;
    return {
      ...{ progress, weights: new Float32Array(part(0)), counts: new Uint32Array(part(1)) },
      received: received.map((each, i) => ({ ...each, values: new Float32Array(part(2 + i)) })),
      ...(averaged !== undefined && {
        average: { weights: new Float32Array(part(arrays - 1)), rounds: averaged },
      }),
    };
  }

  /**
   * The weights that the federation began with, [N]. Throws `checkpoint-invalid`, also of a federation that a version
   * created which kept none.
   */
  async first(count: number): Promise<Float32Array> {
    const bytes = await bytesIn(this.#first, WITHOUT_FIRST);
    if (bytes.length !== 4 * count) throw damaged(this.#first, 'is cut off');
    return new Float32Array(Uint8Array.from(bytes).buffer);
  }
}

const checkHeader = validator(HEADER, 'checkpoint-invalid', 'its header');

function headerIn(value: unknown, file: string): TypeOf<typeof HEADER> {
  try {
    return checkHeader(value);
  } catch {
    throw damaged(file, 'does not begin as the state of a federation');
  }
}

async function bytesIn(file: string, missing = 'is missing'): Promise<Buffer> {
  const bytes = await bytesIfThere(file);
  if (bytes) return bytes;
  throw damaged(file, missing);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function damaged(file: string, how: string): TacetError {
  return new TacetError(
    'checkpoint-invalid',
    `${file} ${how}; put it back from a backup, or begin another federation`,
  );
}
