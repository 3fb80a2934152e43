import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { bytesIfThere } from '../../../platform/files/optional-file.js';
import { sha256Hex } from '../../../proto/digest.js';
import { TacetError } from '../../../proto/errors.js';
import type { FederationPlan } from '../../../proto/federation-plan.js';
import { decodeNumbers, encodeNumbers, type Numbers } from '../../../proto/federation-update.js';

const STATE_FILE = 'epoch.bin';

/** A worker's last epoch that was trained to its end: its weights then, and what it sends of them. */
export interface TrainedEpoch {
  readonly epoch: number;
  readonly weights: Float32Array;
  readonly update: Numbers;
}

interface Header {
  /** SHA-256 of the plan. */
  readonly plan: string;
  readonly weightBytes: number;
}

/** The folder of a worker: one file, replaced as a whole, so that an update is sent again with the same numbers. */
export class WorkerHome {
  readonly #file: string;
  readonly #plan: string;

  constructor(directory: string, plan: FederationPlan) {
    this.#file = path.join(directory, STATE_FILE);
    this.#plan = sha256Hex(Buffer.from(JSON.stringify(plan)));
  }

  async keep({ epoch, weights, update }: TrainedEpoch): Promise<void> {
    const stated = { worker: null, keyId: null, epoch, texts: 0 };
    const parts = [encodeNumbers({ values: weights }, stated), encodeNumbers(update, stated)];
    const header: Header = { plan: this.#plan, weightBytes: parts[0]?.length ?? 0 };
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    await writeAtomically(this.#file, [length, text, ...parts], { isPrivate: true });
  }

  /**
   * Undefined before the first epoch. Throws `checkpoint-invalid` where the file is of another federation: what
   * was promised for its epochs would not hold for both.
   */
  async read(): Promise<TrainedEpoch | undefined> {
    const bytes = await bytesIfThere(this.#file);
    if (!bytes) return undefined;
    const start = 4 + (bytes.length < 4 ? 0 : bytes.readUInt32LE(0));
    if (start === 4 || start > bytes.length) throw this.#invalid('is cut off');
    const { plan, weightBytes }: Header = JSON.parse(bytes.toString('utf8', 4, start));
    if (plan !== this.#plan) throw this.#invalid('is of another federation, or of another plan');
    const own = decodeNumbers(bytes.subarray(start, start + weightBytes));
    const { header, ...update } = decodeNumbers(bytes.subarray(start + weightBytes));
    return { epoch: header.epoch, weights: own.values, update };
  }

  #invalid(how: string): TacetError {
    return new TacetError('checkpoint-invalid', `${this.#file} ${how}; take another --home`);
  }
}
