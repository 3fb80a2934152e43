import { Command } from 'commander';
import { Random } from '../../../models/tensor/random.js';
import { requireFree } from '../../../models/text/corpus/output-file.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { drawDocuments } from '../../../models/training/data/split.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { wholeNumber } from '../whole-number.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

interface Options extends ReadingOptions {
  readonly documents: number;
  readonly seed: number;
}

/** `tacet corpus split`: some documents of a corpus, drawn by a seed, and the others. */
export function corpusSplitCommand(): Command {
  return new Command('split')
    .description(
      'part a corpus by document: a number of them, drawn by a seed, and the others; what a template made stays together, what is of one patient, and what is nearly the same',
    )
    .argument('<in>', 'a file, or a directory that is searched')
    .argument('<drawn>', 'a new file for the drawn documents, jsonl')
    .argument('<others>', 'a new file for the others, jsonl')
    .requiredOption(
      '--documents <n>',
      'how many are drawn, more where some stay together',
      wholeNumber(1),
    )
    .option('--seed <n>', 'what draws them', wholeNumber(0), 1)
    .addOption(formatOption())
    .option('--skip-bad', 'count bad documents and go on')
    .action(run);
}

async function run(
  path: string,
  drawn: string,
  others: string,
  options: Options,
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  // Before either is written: what is there of a split is in the way of the next.
  for (const file of [drawn, others]) await requireFree(file);
  const reading = new Reading(context, options);
  const documents: Document[] = [];
  for await (const document of reading.documents(path)) documents.push(document);
  const { documents: count, seed } = options;
  if (count >= documents.length)
    throw new TacetError('usage', `${path}: ${count} documents of ${documents.length} leave none`);
  const parts = drawDocuments(documents, count, new Random(seed).fork('split'), path);
  const { signal } = context;
  await writeCorpus(parts.drawn, drawn, 'jsonl', { signal });
  await writeCorpus(parts.others, others, 'jsonl', { signal });
  const counts = { drawn: parts.drawn.length, others: parts.others.length };
  context.result({ ...counts, bad: reading.bad }, [
    `${counts.drawn} documents written to ${drawn}, ${counts.others} to ${others}`,
  ]);
  reading.report();
}
