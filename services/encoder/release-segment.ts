import { writeSegment } from '../../proto/segment.js';
import type { SegmentShape } from '../../proto/segment-header.js';
import { type Certification, underLimit } from './certified-job.js';
import type { EncodingModel } from './encoding-model.js';
import { ELEMENT_TYPE } from './encoding-threads.js';
import type { Home } from './home.js';
import type { Ledger, Release, SegmentRow } from './ledger.js';
import { keepReleases } from './release-map.js';
import type { HashedSentence } from './sentence-table.js';

/** A sentence that a job would release, with what it reveals of the entities in it. */
export interface Candidate extends HashedSentence, Release {
  readonly hash: Buffer;
}

/** A candidate with its one encoding, [T, d] elements; it has left this process nowhere yet. */
export interface EncodedCandidate {
  readonly candidate: Candidate;
  readonly vectors: Uint8Array;
}

export interface ReleaseOptions {
  readonly maxReleases: number;
  readonly certification?: Certification | undefined;
  /** Directory of the map from releases to sentences; none is kept without it. */
  readonly mapIn?: string | undefined;
  /** Of the ledger, when it allowed the candidates. */
  readonly ledgerVersion: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Releases what may still be released: under the ledger's write lock, the segment is fsynced, then
 * its rows are committed. What may not is forgotten. Undefined where nothing was left.
 */
export function releaseSegment(
  encoded: readonly EncodedCandidate[],
  model: EncodingModel,
  { ledger, outbox }: Home,
  options: ReleaseOptions,
): Promise<SegmentRow | undefined> {
  const { certification, mapIn, signal } = options;
  return ledger.exclusively(async () => {
    const fresh = allowed(encoded, ledger, options);
    if (fresh.length === 0) return undefined;
    const candidates = fresh.map(({ candidate }) => candidate);
    const sentences = fresh.map(({ candidate: { casing, labels }, vectors }) => ({
      ...{ vectors, casing, labels },
    }));
    const bytes = writeSegment(shapeOf(model), sentences);
    const segment = {
      digest: await outbox.add(bytes),
      model: model.digest,
      scheme: model.scheme.digest,
      sentences: fresh.length,
      tokens: candidates.reduce((sum, { rows }) => sum + rows.length, 0),
      bytes: bytes.length,
      certified: certification?.limit ?? null,
    };
    const hashes = candidates.map(({ hash }) => hash);
    if (mapIn !== undefined) await keepReleases(mapIn, segment.digest, hashes);
    ledger.recordSegment(segment, candidates);
    return segment;
  }, signal);
}

/** What neither the ledger nor the limit forbids by now. */
function allowed(
  encoded: readonly EncodedCandidate[],
  ledger: Ledger,
  { maxReleases, certification, ledgerVersion }: ReleaseOptions,
): readonly EncodedCandidate[] {
  // Another process, or another job of this one, may have released since the job was planned.
  const unchanged = ledger.version() === ledgerVersion;
  const fresh = unchanged ? encoded : unreleased(encoded, ledger, maxReleases);
  if (!certification) return fresh;
  const kept = new Set(
    underLimit(
      fresh.map(({ candidate }) => candidate),
      ledger,
      certification,
    ),
  );
  return fresh.filter(({ candidate }) => kept.has(candidate));
}

/** What may still be released, counting each sentence as often as the list itself repeats it. */
function unreleased(
  encoded: readonly EncodedCandidate[],
  ledger: Ledger,
  maxReleases: number,
): EncodedCandidate[] {
  const counts = new Map<string, number>();
  return encoded.filter(({ candidate: { hash } }) => {
    const name = hash.toString('hex');
    const count = counts.get(name) ?? ledger.releasesOf(hash);
    counts.set(name, count + 1);
    return count < maxReleases;
  });
}

function shapeOf({ digest, representation, scheme }: EncodingModel): SegmentShape {
  return {
    modelDigest: digest,
    dimension: representation.config.dimension,
    elementType: ELEMENT_TYPE,
    labelSchemeDigest: scheme.digest,
    labelCount: scheme.labels.length,
  };
}
