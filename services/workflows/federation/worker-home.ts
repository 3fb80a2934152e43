import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { headOf, splitHead } from '../../../platform/files/headed-bytes.js';
import { bytesIfThere } from '../../../platform/files/optional-file.js';
import { TacetError } from '../../../proto/errors.js';
import { type FederationPlan, planDigest } from '../../../proto/federation-plan.js';
import { decodeNumbers, encodeNumbers, type Numbers } from '../../../proto/federation-update.js';
import { DIGEST, NATURAL } from '../../../proto/schemas.js';
import { Type } from '../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../proto/typed-schema.js';
import { validator } from '../../../proto/validator.js';

const STATE_FILE = 'epoch.bin';

/** A worker's last epoch that was trained to its end: its weights then, and what it sends of them. */
export interface TrainedEpoch {
  readonly epoch: number;
  readonly weights: Float32Array;
  readonly update: Numbers;
}

/** Which notes a worker trains on: their `documentsDigest`, and how many they are. */
const LEARNED = closedObject({ digest: DIGEST, documents: NATURAL });
export type LearnedNotes = TypeOf<typeof LEARNED>;

const HEADER = closedObject({
  /** SHA-256 of the plan. */
  plan: DIGEST,
  /** Files of earlier versions lack it. */
  learned: Type.Optional(LEARNED),
  weightBytes: NATURAL,
});
const checkHeader = validator(HEADER, 'checkpoint-invalid', 'its header');

/** The folder of a worker: one file, replaced as a whole, so that an update is sent again with the same numbers. */
export class WorkerHome {
  readonly #file: string;
  readonly #plan: string;
  #learned: LearnedNotes | undefined;

  /** `notes` are those to train on here. */
  constructor(
    directory: string,
    plan: FederationPlan,
    private readonly notes: LearnedNotes,
  ) {
    this.#file = path.join(directory, STATE_FILE);
    this.#plan = planDigest(plan);
    this.#learned = notes;
  }

  /** Undefined where an earlier version trained the first epochs, and nothing says on which notes. */
  get learned(): LearnedNotes | undefined {
    return this.#learned;
  }

  async keep({ epoch, weights, update }: TrainedEpoch): Promise<void> {
    const stated = { plan: this.#plan, worker: null, keyId: null, epoch, texts: 0 };
    const parts = [encodeNumbers({ values: weights }, stated), encodeNumbers(update, stated)];
    const header: TypeOf<typeof HEADER> = {
      plan: this.#plan,
      ...(this.#learned && { learned: this.#learned }),
      weightBytes: parts[0]?.length ?? 0,
    };
    await writeAtomically(this.#file, [headOf(header), ...parts], { isPrivate: true });
  }

  /**
   * Undefined before the first epoch. Throws `checkpoint-invalid` where the file is damaged, or of another federation:
   * what was promised for its epochs would not hold for both; `config-invalid` where they were trained on other notes.
   */
  async read(): Promise<TrainedEpoch | undefined> {
    const bytes = await bytesIfThere(this.#file);
    if (!bytes) return undefined;
    const found = splitHead(bytes);
    if (!found) throw this.#invalid('is cut off');
    const { plan, learned, weightBytes } = this.#orInvalid(() => checkHeader(found.header));
    if (plan !== this.#plan) throw this.#invalid('is of another federation, or of another plan');
    if (learned) this.#requireLearned(learned);
    this.#learned = learned;
    const { rest } = found;
    const own = this.#orInvalid(() => decodeNumbers(rest.subarray(0, weightBytes)));
    const { header, ...update } = this.#orInvalid(() => decodeNumbers(rest.subarray(weightBytes)));
    return { epoch: header.epoch, weights: own.values, update };
  }

  #requireLearned({ digest, documents }: LearnedNotes): void {
    const { notes } = this;
    if (digest === notes.digest && documents === notes.documents) return;
    throw new TacetError(
      'config-invalid',
      `${this.#file}: other notes than this home trained on (${notes.documents} of them; expected the same ` +
        `${documents}); name the --corpus that it began with`,
    );
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
