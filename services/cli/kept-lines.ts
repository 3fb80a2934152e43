import type { EncodeReport } from '../institution/release/job/encode-report.js';

/** What a job says of entities that it keeps where it replaces the others: a statement of its own, never of chance. */
export function keptLines({
  keptTypes,
  kept,
  bounds,
}: Pick<EncodeReport, 'keptTypes' | 'kept' | 'bounds'>): string[] {
  if (keptTypes.length === 0) return [];
  const withheld = bounds?.withheldTypes ?? [];
  const leaving = keptTypes.filter((type) => !withheld.includes(type));
  return [
    `kept       ${kept} labelled entities of ${keptTypes.join(', ')} are not replaced`,
    ...limitLines(leaving, bounds),
    ...(withheld.length === 0 ? [] : [`           nothing leaves of ${withheld.join(', ')}`]),
  ];
}

function limitLines(leaving: readonly string[], bounds: EncodeReport['bounds']): string[] {
  if (!bounds || leaving.length === 0) return [];
  return [
    `           of ${leaving.join(', ')}: of those that leave with a portion of the job and have a word that can move, 19 in`,
    `           20 of each type are under the limit of ${bounds.limit} by the vectors, see the bounds below; the others are over`,
    '           it, or have none. A name within one, or two of them together, has no limit of its own',
  ];
}
