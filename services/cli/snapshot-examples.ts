import type { VectorExample } from '../../models/training/examples.js';
import { decodeElements } from '../../proto/element.js';
import { TacetError } from '../../proto/errors.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import type { CallOptions, ServiceClient } from '../http/client.js';

export interface SnapshotExamples {
  readonly header: SegmentHeader;
  readonly examples: VectorExample[];
}

/** Reads all of a snapshot over HTTP as training examples, in an order that `seed` decides. */
export async function readSnapshotExamples(
  pool: ServiceClient,
  snapshotId: string,
  seed: number,
  { signal, progress }: CallOptions,
): Promise<SnapshotExamples> {
  const { header, sentences } = await pool.sentences(snapshotId, { seed, signal });
  const examples: VectorExample[] = [];
  for await (const { vectors, casing, labels } of sentences()) {
    examples.push({
      vectors: decodeElements(vectors, header.elementType),
      casing: Uint8Array.from(casing),
      labels: Uint8Array.from(labels),
    });
    progress?.({
      step: 'read the snapshot',
      done: examples.length,
      total: header.sentenceCount,
      unit: 'sentences',
    });
  }
  return { header, examples };
}

/** Throws `model-unsuitable` where a snapshot was encoded by another model than the one at hand. */
export function requireModel(
  header: SegmentHeader,
  model: { readonly digest: string; readonly scheme: { readonly digest: string } },
): void {
  if (header.modelDigest !== model.digest) {
    throw new TacetError(
      'model-unsuitable',
      `the snapshot was encoded by ${header.modelDigest}, the bundle at hand is ${model.digest}`,
    );
  }
  if (header.labelSchemeDigest !== model.scheme.digest) {
    throw new TacetError(
      'model-unsuitable',
      `the snapshot has labels of ${header.labelSchemeDigest}, the bundle of ${model.scheme.digest}`,
    );
  }
}
