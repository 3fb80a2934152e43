import { binaryLabels, isBinary } from '../../models/bundle/binary-scheme.js';
import { copyWeight } from '../../models/training/data/copy-weight.js';
import type { VectorExample } from '../../models/training/data/examples.js';
import { interleaved } from '../../models/training/data/interleaved.js';
import type { VectorSource } from '../../models/training/pooled.js';
import type { Snapshot, SnapshotPart } from '../../pool-store/snapshots/snapshot.js';
import type { NewRun } from '../../pool-store/training/training-runs.js';
import { sha256, sha256Hex } from '../../proto/digest.js';
import { decodeElements } from '../../proto/element.js';
import { TacetError } from '../../proto/errors.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';
import { fetchSnapshot, requireSameSnapshot } from './fetched-snapshot.js';

/** Below the largest number that a pool takes for a seed. */
const SEED_BYTES = 6;

/** A snapshot of a pool as training reads it: over HTTP, once an epoch, never as a whole. */
export class SnapshotSource implements VectorSource {
  private constructor(
    readonly pool: ServiceClient,
    readonly snapshot: Snapshot,
    /** Decides, with the epoch, the order in which the sentences come. */
    readonly seed: number,
    readonly options: CallOptions,
    /** Whether types are read as PHI or not. */
    readonly binary = false,
  ) {}

  /** Throws as `fetchSnapshot`. */
  static async open(
    pool: ServiceClient,
    id: string,
    seed: number,
    options: CallOptions,
  ): Promise<SnapshotSource> {
    const snapshot = await fetchSnapshot(pool, id, options);
    return new SnapshotSource(pool, snapshot, seed, options);
  }

  /**
   * Lets the pool know of the run, so that whoever withdraws can learn which models used a snapshot.
   * `record` is what the run was configured by.
   */
  async register(name: string, version: string, record: unknown): Promise<void> {
    const run = sha256Hex(JSON.stringify(record));
    const path = pathTo(PATHS.snapshotRuns, this.snapshot);
    await this.pool.json('POST', path, { run, name, version } satisfies NewRun, this.options);
  }

  get dimension(): number {
    return this.snapshot.dimension;
  }

  get sentences(): number {
    return this.snapshot.sentenceCount;
  }

  get tokens(): number {
    return this.snapshot.tokens;
  }

  /** Where contributions were made with several numbers of copies, its parts are read side by side. */
  async *read(epoch: number): AsyncGenerator<VectorExample> {
    const seed = sha256(`${this.seed}/epoch-${epoch}`).readUIntBE(0, SEED_BYTES);
    const { parts } = this.snapshot;
    const [only] = parts;
    if (only && parts.length === 1) return yield* this.#read(only, seed);
    const streams = parts.map((part) => ({
      count: part.sentenceCount,
      values: this.#read(part, seed, part.copies),
    }));
    yield* interleaved(streams, seed);
  }

  /** The sentences of a part, which is asked for by its copies where it is not the whole. */
  async *#read(part: SnapshotPart, seed: number, asked?: number): AsyncGenerator<VectorExample> {
    const { id, elementType } = this.snapshot;
    const query = { ...this.options, seed, copies: asked };
    const { header, sentences, close } = await this.pool.sentences(id, query);
    const { sentenceCount, keptTypes } = part;
    try {
      requireSameSnapshot(header, { ...this.snapshot, sentenceCount, keptTypes });
    } catch (error) {
      await close();
      throw error;
    }
    for await (const { vectors, labels } of sentences()) {
      const typed = Uint8Array.from(labels);
      const example = {
        vectors: decodeElements(vectors, elementType),
        labels: this.binary ? binaryLabels(typed) : typed,
      };
      if (part.copies === 1) yield example;
      else yield { ...example, weight: copyWeight(example.labels, part.copies) };
    }
  }

  /**
   * As it is read with the labels of a model's scheme, which may be `phi-binary` whatever the snapshot's. Throws
   * `model-unsuitable` where the snapshot was encoded by another model, or has no such labels.
   */
  labelledFor(model: {
    readonly digest: string;
    readonly scheme: { readonly digest: string };
  }): SnapshotSource {
    const { modelDigest, labelSchemeDigest } = this.snapshot;
    if (modelDigest !== model.digest) {
      throw new TacetError(
        'model-unsuitable',
        `the snapshot was encoded by ${modelDigest}, the bundle at hand is ${model.digest}`,
      );
    }
    if (labelSchemeDigest === model.scheme.digest) return this;
    if (isBinary(model.scheme))
      return new SnapshotSource(this.pool, this.snapshot, this.seed, this.options, true);
    const isTypeless = isBinary({ digest: labelSchemeDigest });
    throw new TacetError(
      'model-unsuitable',
      `the snapshot has labels of ${isTypeless ? 'phi-binary' : labelSchemeDigest}, the bundle of ` +
        `${model.scheme.digest}${isTypeless ? '; train with --scheme phi-binary' : ''}`,
    );
  }
}
