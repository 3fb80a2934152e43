import { Command } from 'commander';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import { type LabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  LabelsInClear,
  LONG_TOKENS,
  type Uniqueness,
} from '../../../models/text/labels-in-clear.js';
import { contextOf } from '../context.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

/** Pieces that a sentence may be cut into. */
const PIECE_TOKENS = 8;

interface StatsOptions extends ReadingOptions {
  readonly scheme?: string;
}

/** `tacet corpus stats`: how much there is of everything. */
export function corpusStatsCommand(): Command {
  return new Command('stats')
    .description('count documents, sentences, tokens and spans')
    .argument('<path>', 'a file, or a directory that is searched')
    .addOption(formatOption())
    .option(
      '--scheme <name>',
      'label scheme: say how many sentences their labels alone tell from all others',
    )
    .option('--skip-bad', 'count bad documents and go on')
    .action(run);
}

async function run(path: string, options: StatsOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const reading = new Reading(context, options);
  const statistics = new CorpusStatistics();
  const inClear = options.scheme === undefined ? [] : countersOf(loadLabelScheme(options.scheme));
  for await (const document of reading.documents(path)) {
    statistics.add(document);
    for (const { counter } of inClear) counter.add(document);
  }
  const { bad, remarks } = reading;
  const unique = inClear.flatMap(({ name, counter }) => [
    { of: name, ...counter.all },
    { of: `${name} of over ${LONG_TOKENS} tokens`, ...counter.long },
  ]);
  const summary = { ...statistics.summary(), bad, remarks: remarks.counts };
  context.result(unique.length > 0 ? { ...summary, unique } : summary, [
    ...statistics.lines(),
    ...unique.filter(({ sentences }) => sentences > 0).map(uniqueLine),
  ]);
  reading.report();
}

function countersOf(scheme: LabelScheme) {
  return [
    { name: 'sentences', counter: new LabelsInClear(scheme) },
    {
      name: `pieces of ${PIECE_TOKENS} tokens`,
      counter: new LabelsInClear(scheme, PIECE_TOKENS),
    },
  ];
}

function uniqueLine({ of, sentences, unique }: Uniqueness & { readonly of: string }): string {
  const share = ((100 * unique) / sentences).toFixed(1);
  return `labels that no other has: ${share} % of ${sentences} ${of}`;
}
