import { createHash, type Hash } from 'node:crypto';

/** Of a snapshot of these segments, sorted. */
export function snapshotId(segments: readonly string[]): string {
  const hash = snapshotHash();
  // Line by line: of millions the text would be longer than a string can be.
  for (const segment of segments) hash.update(`${segment}\n`);
  return hash.digest('hex');
}

/** What `snapshotId` begins with; each segment follows, with a line break. */
export function snapshotHash(): Hash {
  return createHash('sha256').update('tacet-snapshot-1\n');
}
