import { Command } from 'commander';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import { contextOf } from '../context.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

/** `tacet corpus stats`: how much there is of everything. */
export function corpusStatsCommand(): Command {
  return new Command('stats')
    .description('count documents, sentences, tokens and spans')
    .argument('<path>', 'a file, or a directory that is searched')
    .addOption(formatOption())
    .option('--skip-bad', 'count bad documents and go on')
    .action(run);
}

async function run(path: string, options: ReadingOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const reading = new Reading(context, options);
  const statistics = new CorpusStatistics();
  for await (const document of reading.documents(path)) statistics.add(document);
  const { bad, remarks } = reading;
  context.result({ ...statistics.summary(), bad, remarks: remarks.counts }, statistics.lines());
  reading.report();
}
