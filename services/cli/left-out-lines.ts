import type { EncodeReport } from '../institution/release/job/encode-report.js';

type Counts = Pick<EncodeReport, 'rest' | 'entities' | 'redrawn' | 'portions'>;

/** What a job says of sentences of notes that left before or stand in it otherwise, and of what a dry run could not count. */
export function leftOutLines(counts: Counts, dryRun: boolean): string[] {
  return [...redrawnLines(counts), ...restLines(counts), ...(dryRun ? portionLines(counts) : [])];
}

function redrawnLines({ redrawn }: Counts): string[] {
  if (redrawn === 0) return [];
  return [
    `redrawn    ${redrawn} sentences are of notes that left, or stand in this job, with other surrogates or in another number of copies;`,
    '           what stayed of those that left stays',
  ];
}

function restLines({ rest, entities }: Counts): string[] {
  if (rest === 0) return [];
  const why =
    entities === null ? ', since too few notes have labels like theirs, or anything new' : '';
  return [`rest       ${rest} of those withheld are of notes that left before: they stay${why}`];
}

function portionLines({ portions }: Counts): string[] {
  if (portions === 1) return [];
  return [
    `portions   the notes were read in ${portions}, each counted as if it came first: less may leave, since what is alike and,`,
    '           where entities are kept, how often one stands and what is told of it add up over them',
  ];
}
