import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { headOf, splitHead } from '../../../platform/files/headed-bytes.js';
import { bytesIfThere } from '../../../platform/files/optional-file.js';
import { TacetError } from '../../../proto/errors.js';
import { type FederationPlan, planDigest } from '../../../proto/federation-plan.js';
import { decodeNumbers, encodeNumbers, type Numbers } from '../../../proto/federation-update.js';
import { DIGEST, NATURAL } from '../../../proto/schemas.js';
import { closedObject, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

const STATE_FILE = 'epoch.bin';

/** A worker's last epoch that was trained to its end: its weights then, and what it sends of them. */
export interface TrainedEpoch {
  readonly epoch: number;
  readonly weights: Float32Array;
  readonly update: Numbers;
}

const HEADER = closedObject({
  /** SHA-256 of the plan. */
  plan: DIGEST,
  weightBytes: NATURAL,
});
const checkHeader = validator(HEADER, 'checkpoint-invalid', 'its header');

/** The folder of a worker: one file, replaced as a whole, so that an update is sent again with the same numbers. */
export class WorkerHome {
  readonly #file: string;
  readonly #plan: string;

  constructor(directory: string, plan: FederationPlan) {
    this.#file = path.join(directory, STATE_FILE);
    this.#plan = planDigest(plan);
  }

  async keep({ epoch, weights, update }: TrainedEpoch): Promise<void> {
    const stated = { plan: this.#plan, worker: null, keyId: null, epoch, texts: 0 };
    const parts = [encodeNumbers({ values: weights }, stated), encodeNumbers(update, stated)];
    const header: TypeOf<typeof HEADER> = {
      plan: this.#plan,
      weightBytes: parts[0]?.length ?? 0,
    };
    await writeAtomically(this.#file, [headOf(header), ...parts], { isPrivate: true });
  }

  /**
   * Undefined before the first epoch. Throws `checkpoint-invalid` where the file is damaged, or of another federation:
   * what was promised for its epochs would not hold for both.
   */
  async read(): Promise<TrainedEpoch | undefined> {
    const bytes = await bytesIfThere(this.#file);
    if (!bytes) return undefined;
    const found = splitHead(bytes);
    if (!found) throw this.#invalid('is cut off');
    const { plan, weightBytes } = this.#orInvalid(() => checkHeader(found.header));
    if (plan !== this.#plan) throw this.#invalid('is of another federation, or of another plan');
    const { rest } = found;
    const own = this.#orInvalid(() => decodeNumbers(rest.subarray(0, weightBytes)));
    const { header, ...update } = this.#orInvalid(() => decodeNumbers(rest.subarray(weightBytes)));
    return { epoch: header.epoch, weights: own.values, update };
  }

  /** What `read` finds in a part of the file. */
  #orInvalid<T>(find: () => T): T {
    try {
      return find();
    } catch {
      throw this.#invalid('is damaged');
    }
  }

  #invalid(how: string): TacetError {
    return new TacetError('checkpoint-invalid', `${this.#file} ${how}; take another --home`);
  }
}
