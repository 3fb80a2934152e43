import type { EncodeReport } from '../institution/release/job/encode-report.js';

type LabelCounts = Pick<
  EncodeReport,
  'labelDocuments' | 'releasable' | 'released' | 'pieces' | 'uncommon'
>;

/** What a job says of the labels that leave, or would leave, in clear. */
export function labelLines(
  { labelDocuments, releasable, released, pieces, uncommon }: LabelCounts,
  dryRun: boolean,
): string[] {
  if (labelDocuments === 1)
    return ['labels     sentences leave whole: who holds a note may know it by its labels alone'];
  const rule = `labels     of ${labelDocuments} notes at least in each piece: `;
  if (dryRun)
    return [`${rule}${releasable} sentences would leave in pieces; ${uncommon} tokens left out`];
  if (released === 0) return [`${rule}nothing left`];
  return [
    `${rule}${released} sentences left in ${pieces} pieces, cut once they were encoded; ${uncommon} tokens left out`,
  ];
}
