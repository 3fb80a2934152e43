import { Command } from 'commander';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  LabelsInClear,
  LONG_TOKENS,
  type Telling,
  type Uniqueness,
} from '../../../models/text/labels-in-clear.js';
import { NearCopies } from '../../../models/text/near-copies.js';
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
  const nearCopies = new NearCopies();
  const inClear = options.scheme === undefined ? undefined : inClearIn(options.scheme);
  for await (const document of reading.documents(path)) {
    statistics.add(document);
    nearCopies.add(document);
    inClear?.whole.add(document);
    inClear?.cut.add(document);
  }
  const { bad, remarks } = reading;
  const unique = inClear
    ? [
        { of: 'sentences', ...inClear.whole.all },
        { of: `sentences of over ${LONG_TOKENS} tokens`, ...inClear.whole.long },
        { of: `pieces of ${PIECE_TOKENS} tokens`, ...inClear.cut.all },
      ]
    : [];
  const told = inClear
    ? [
        { by: 'a sentence', ...inClear.whole.notes },
        { by: `a piece of ${PIECE_TOKENS} tokens`, ...inClear.cut.notes },
      ]
    : [];
  const { count } = nearCopies;
  const summary = { ...statistics.summary(), nearCopies: count, bad, remarks: remarks.counts };
  context.result(inClear ? { ...summary, unique, told } : summary, [
    ...statistics.lines(),
    ...(count > 0 ? [nearCopiesLine(count)] : []),
    ...unique.filter(({ sentences }) => sentences > 0).map(uniqueLine),
    ...told.filter(({ notes }) => notes > 0).map(toldLine),
  ]);
  reading.report();
}

/** Sentences as they are, and cut. */
function inClearIn(schemeName: string) {
  const scheme = loadLabelScheme(schemeName);
  return { whole: new LabelsInClear(scheme), cut: new LabelsInClear(scheme, PIECE_TOKENS) };
}

function nearCopiesLine(count: number): string {
  return `nearly the same as another: ${count} documents, by three in ten of their long sentences; keep them in one part of a split`;
}

function toldLine({ by, notes, told }: Telling & { readonly by: string }): string {
  const share = ((100 * told) / notes).toFixed(1);
  return `labels of ${by} that no other note has: in ${share} % of ${notes} notes`;
}

function uniqueLine({ of, sentences, unique }: Uniqueness & { readonly of: string }): string {
  const share = ((100 * unique) / sentences).toFixed(1);
  return `labels that no other has: ${share} % of ${sentences} ${of}`;
}
