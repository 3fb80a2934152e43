import path from 'node:path';
import { writeAtomically } from '../../platform/files/draft-file.js';
import { readJsonFile } from '../../platform/files/json-file.js';
import { bytesIfThere } from '../../platform/files/optional-file.js';
import { TacetError } from '../../proto/errors.js';
import { type FederationPlan, parseFederationPlan } from '../../proto/federation-plan.js';

const FOLDER = 'federation';
const PLAN_FILE = 'plan.json';
const STATE_FILE = 'state.bin';
const FIRST_FILE = 'first.bin';
const WITHOUT_FIRST =
  'is missing, the weights that the federation began with and that a worker of selective SGD begins with, too: the ' +
  'file is lost, or an earlier version created the federation and kept none';

/** Beside the weights, what the coordinator must not forget. */
export interface Progress {
  /** From 1 on. */
  readonly round: number;
  /** When the round began, in milliseconds since 1970. */
  readonly since: number;
  /** By worker, how many of its updates were taken. */
  readonly taken: Readonly<Record<string, number>>;
  /** Of the update that was taken last: it is in the log as soon as it is here, or at the next start. */
  readonly last: {
    readonly digest: string;
    readonly worker: string;
    readonly epoch: number;
  } | null;
}

/** Updates of an open round, as their workers signed them. */
export interface Received {
  readonly worker: string;
  readonly texts: number;
  readonly values: Float32Array;
}

/** All that there is of a federation at one moment. */
export interface CoordinatorState {
  readonly progress: Progress;
  readonly weights: Float32Array;
  readonly counts: Uint32Array;
  readonly received: readonly Received[];
}

interface Header extends Progress {
  readonly weights: number;
  readonly received: readonly { readonly worker: string; readonly texts: number }[];
}

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
  async create(plan: FederationPlan, weights: Float32Array): Promise<void> {
    const earlier = await this.plan().catch((error: unknown) => {
      if (error instanceof TacetError && error.code === 'file-not-found') return undefined;
      throw error;
    });
    if (earlier)
      throw new TacetError(
        'file-exists',
        `${this.#plan}: there is a federation already; take another directory for the next`,
      );
    const progress = { round: 1, since: Date.now(), taken: {}, last: null };
    await this.write({ progress, weights, counts: new Uint32Array(weights.length), received: [] });
    await writeAtomically(this.#first, bytesOf(weights), { isPrivate: true });
    await writeAtomically(this.#plan, `${JSON.stringify(plan, null, 1)}\n`, { isPrivate: true });
  }

  async write({ progress, weights, counts, received }: CoordinatorState): Promise<void> {
    const header: Header = {
      ...progress,
      weights: weights.length,
      received: received.map(({ worker, texts }) => ({ worker, texts })),
    };
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    const arrays = [weights, counts, ...received.map(({ values }) => values)];
    const parts = arrays.map(bytesOf);
    await writeAtomically(this.#state, [length, text, ...parts], { isPrivate: true });
  }

  /** Throws `checkpoint-invalid` for a file that was not written here. */
  async read(): Promise<CoordinatorState> {
    const bytes = await bytesIn(this.#state);
    const length = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
    const start = 4 + length;
    if (length === 0 || start > bytes.length) throw damaged(this.#state, 'is cut off');
    const { weights, received, ...progress }: Header = JSON.parse(bytes.toString('utf8', 4, start));
    const size = 4 * weights;
    if (bytes.length !== start + size * (2 + received.length))
      throw damaged(this.#state, 'is cut off');
    const part = (i: number) =>
      Uint8Array.from(bytes.subarray(start + i * size, start + (i + 1) * size)).buffer;
    return {
      ...{ progress, weights: new Float32Array(part(0)), counts: new Uint32Array(part(1)) },
      received: received.map((each, i) => ({ ...each, values: new Float32Array(part(2 + i)) })),
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
