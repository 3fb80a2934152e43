import type { Provenance, Snapshot, SnapshotPart } from '../../pool-store/snapshots/snapshot.js';
import { snapshotId } from '../../pool-store/snapshots/snapshot-id.js';
import { TacetError } from '../../proto/errors.js';
import { keptTypesText } from '../../proto/kept-types.js';
import { PATHS, pathTo } from '../../proto/paths.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import type { CallOptions } from './call-options.js';
import type { ServiceClient } from './client.js';

export type FetchedSnapshot = Snapshot & { readonly provenance: readonly Provenance[] };

/**
 * What a pool says of a snapshot, which is the one that was asked for: its id follows from its
 * segments. Throws `digest-mismatch` where it is another, `not-found`, or `withdrawn` where it cannot
 * be read any more.
 */
export async function fetchSnapshot(
  pool: ServiceClient,
  id: string,
  options: CallOptions,
): Promise<FetchedSnapshot> {
  const path = pathTo(PATHS.snapshot, { id });
  const snapshot = await pool.json<FetchedSnapshot>('GET', path, undefined, options);
  const found = snapshotId(snapshot.segments);
  if (snapshot.id === id && found === id) return { ...snapshot, parts: partsOf(snapshot) };
  throw new TacetError('digest-mismatch', `asked for snapshot ${id}, was answered with ${found}`);
}

/** A pool of an earlier version does not state them: it knows of one copy a note. */
function partsOf({ parts, sentenceCount, tokens }: Snapshot): readonly SnapshotPart[] {
  return parts ?? [{ copies: 1, keptTypes: [], sentenceCount, tokens }];
}

const SHARED = [
  'modelDigest',
  'labelSchemeDigest',
  'labelCount',
  'dimension',
  'elementType',
  'sentenceCount',
] as const;

/** Throws `digest-mismatch` where a stream of sentences does not begin like the snapshot it is to be of. */
export function requireSameSnapshot(header: SegmentHeader, snapshot: Snapshot): void {
  const [stated, found] = [keptTypesText(snapshot.keptTypes), keptTypesText(header.keptTypes)];
  if (stated !== found)
    throw new TacetError(
      'digest-mismatch',
      `snapshot ${snapshot.id} keeps entities of ${stated || 'no type'}, its sentences came with ${found || 'none'}`,
    );
  const other = SHARED.find((field) => header[field] !== snapshot[field]);
  if (other === undefined) return;
  throw new TacetError(
    'digest-mismatch',
    `snapshot ${snapshot.id} has the ${other} ${snapshot[other]}, its sentences came with ${header[other]}`,
  );
}
