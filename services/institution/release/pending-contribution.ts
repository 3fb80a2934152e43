import {
  type ContributionManifest,
  MAX_SEGMENTS,
  parseContribution,
} from '../../../proto/contribution.js';
import { sha256Hex } from '../../../proto/digest.js';
import type { Envelope } from '../../../proto/dsse.js';
import type { Ledger } from './ledger/ledger.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

/** A contribution that was signed, and that no pool has accepted so far as is known. */
export interface PendingContribution {
  readonly digest: string;
  readonly envelope: Envelope;
  /** Whether the pool may have accepted it. */
  readonly isSent: boolean;
  readonly segments: readonly SegmentRow[];
}

export function pendingContributions({
  segments,
}: Pick<Ledger, 'segments'>): PendingContribution[] {
  return segments.pendingContributions().map(({ digest, envelope, isSent }) => ({
    digest,
    isSent,
    envelope: parseEnvelope(envelope),
    segments: segments.of(digest),
  }));
}

/**
 * By model, label scheme, certified limit, inventory, kept types and copies, in lists that one contribution can hold. Each
 * segment is of the least number of documents, so each contribution is, too.
 */
export function grouped(segments: readonly SegmentRow[]): SegmentRow[][] {
  const groups = new Map<string, SegmentRow[]>();
  for (const segment of segments) {
    const { model, scheme, certified, inventory, keptTypes, copies } = segment;
    const key = `${model} ${scheme} ${certified} ${inventory} ${keptTypes} ${copies}`;
    groups.set(key, [...(groups.get(key) ?? []), segment]);
  }
  return [...groups.values()].flatMap((group) => {
    const lists: SegmentRow[][] = [];
    for (let from = 0; from < group.length; from += MAX_SEGMENTS)
      lists.push(group.slice(from, from + MAX_SEGMENTS));
    return lists;
  });
}

export function signedIn({ payload }: Envelope): ContributionManifest {
  return parseContribution(JSON.parse(Buffer.from(payload, 'base64').toString('utf8')));
}

/** What a pool calls the contribution: the SHA-256 of what was signed. */
export function idOf({ payload }: Envelope): string {
  return sha256Hex(Buffer.from(payload, 'base64'));
}

export function total(
  segments: readonly SegmentRow[],
  count: 'sentences' | 'tokens' | 'bytes',
): number {
  return segments.reduce((sum, segment) => sum + segment[count], 0);
}

function parseEnvelope(bytes: Buffer): Envelope {
  return JSON.parse(bytes.toString('utf8'));
}
