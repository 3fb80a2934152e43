import { TacetError } from '../../../proto/errors.js';
import { isDigest, noSuchBlob, requireDigest } from '../blob-digest.js';
import type { BlobAside, BlobContent, Blobs, ByteRange, OpenBlob } from '../blobs.js';
import { sumsOf } from './body-sums.js';
import type { ObjectState, S3Bucket } from './bucket.js';
import { requireNoVersions } from './bucket-probe.js';
import { ObjectParts } from './object-parts.js';
import { OpenObject, readObject } from './object-reading.js';

/** As many as keep a link of 20 ms and 1 Gbit/s busy with blocks of 256 KiB. */
const PARALLEL_READS = 16;
/** Sizes and tags of so many blobs are remembered. */
const KEPT_STATES = 10_000;
/** How often a key may change under a put before it is given up. */
const PUT_ROUNDS = 4;
const IN_USE = 'blobs/';
const ASIDE: Readonly<Record<BlobAside['reason'], string>> = {
  damaged: 'quarantine/',
  orphan: 'orphans/',
};

/**
 * Blobs as objects of a bucket, each written by one conditional put, so that it is there whole or not at all:
 * `blobs/<digest>`, and out of use `quarantine/<digest>` and `orphans/<digest>`. Whatever moves is copied first
 * and deleted from its old key then: a crash between the two leaves both, and the same call, which
 * a start or a check makes again, ends it.
 */
export class S3Blobs implements Blobs {
  readonly parallelReads: number = PARALLEL_READS;
  readonly comparesMd5 = true;
  readonly parts: ObjectParts;

  readonly #states = new Map<string, ObjectState>();

  constructor(readonly bucket: S3Bucket) {
    this.parts = new ObjectParts(bucket);
  }

  reach(): Promise<void> {
    return requireNoVersions(this.bucket);
  }

  /**
   * The server compares what it is sent with the sums of the content, which is read for them, and verified, before it is
   * sent, unless it brings its MD5. What has its name already stays, unless it has another size: then it is damaged, and
   * isolated first.
   */
  async put(content: BlobContent, digest: string): Promise<boolean> {
    const key = keyOf(digest);
    const { md5 } = content;
    const sums = md5 ? { md5, sha256: Buffer.from(digest, 'hex') } : await sumsOf(content, digest);
    for (let round = 0; round < PUT_ROUNDS; round++) {
      if (await this.bucket.put(key, content, sums)) return true;
      const held = await this.bucket.head(key);
      if (held?.bytes === content.bytes) return false;
      if (held) await this.isolate(digest);
    }
    throw new TacetError('store-unavailable', `blob ${digest} changes while it is put; try again`);
  }

  async size(digest: string): Promise<number | undefined> {
    return (await this.bucket.head(keyOf(digest)))?.bytes;
  }

  async stored(digest: string): Promise<Date | undefined> {
    return (await this.bucket.head(keyOf(digest)))?.modified;
  }

  /** What is known of a blob from an earlier opening holds, for it never changes; one that is gone says so when it is read. */
  async open(digest: string, _amongBytes?: number, bytes?: number): Promise<OpenBlob> {
    const key = keyOf(digest);
    const known = this.#states.get(digest);
    if (!known && bytes !== undefined) return new OpenObject(this.bucket, key, { bytes });
    const state = known ?? (await this.bucket.head(key));
    if (!state) throw noSuchBlob(digest);
    if (this.#states.size >= KEPT_STATES) this.#states.clear();
    this.#states.set(digest, state);
    return new OpenObject(this.bucket, key, state);
  }

  async *read(digest: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const key = keyOf(digest);
    const state = await this.bucket.head(key);
    if (!state) throw noSuchBlob(digest);
    yield* readObject(this.bucket, key, state, range);
  }

  /** In use first, so that nobody reads it meanwhile; what a crash leaves, the next start erases. */
  async erase(digest: string): Promise<void> {
    requireDigest(digest);
    this.#states.delete(digest);
    for (const folder of [IN_USE, ASIDE.damaged, ASIDE.orphan])
      await this.bucket.delete(`${folder}${digest}`);
  }

  isolate(digest: string): Promise<void> {
    return this.#moveAside(digest, 'damaged');
  }

  putAside(digest: string): Promise<void> {
    return this.#moveAside(digest, 'orphan');
  }

  /** Put like a new blob, so that nothing else of the name is overwritten. Throws `digest-mismatch`. */
  async takeBack(digest: string): Promise<void> {
    requireDigest(digest);
    const from = `${ASIDE.orphan}${digest}`;
    const state = await this.bucket.head(from);
    if (!state) throw noSuchBlob(digest);
    const read = () => readObject(this.bucket, from, state);
    await this.put({ bytes: state.bytes, read }, digest);
    await this.bucket.delete(from);
  }

  discardOrphan(digest: string): Promise<void> {
    requireDigest(digest);
    return this.bucket.delete(`${ASIDE.orphan}${digest}`);
  }

  async *digests(): AsyncGenerator<string> {
    for await (const { digest } of this.#list(IN_USE)) yield digest;
  }

  async *aside(): AsyncGenerator<BlobAside> {
    for (const reason of ['damaged', 'orphan'] as const)
      for await (const one of this.#list(ASIDE[reason])) yield { ...one, reason };
  }

  /** Deleted only while it is what was copied: who mended it meanwhile has not done so for nothing. */
  async #moveAside(digest: string, reason: BlobAside['reason']): Promise<void> {
    const from = keyOf(digest);
    this.#states.delete(digest);
    const state = await this.bucket.head(from);
    if (!state) throw noSuchBlob(digest);
    if (!(await this.bucket.copy(from, `${ASIDE[reason]}${digest}`, state.etag))) return;
    const after = await this.bucket.head(from);
    if (after?.etag === state.etag) await this.bucket.delete(from);
  }

  async *#list(folder: string): AsyncGenerator<{ digest: string; bytes: number }> {
    for await (const { key, bytes } of this.bucket.list(folder)) {
      const digest = key.slice(folder.length);
      if (isDigest(digest)) yield { digest, bytes };
    }
  }
}

function keyOf(digest: string): string {
  requireDigest(digest);
  return `${IN_USE}${digest}`;
}
