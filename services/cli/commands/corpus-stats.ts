import { Command } from 'commander';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import {
  LabelsInClear,
  LONG_TOKENS,
  type Telling,
  type Uniqueness,
} from '../../../models/text/labels-in-clear.js';
import { longSentencesOf } from '../../../models/text/long-sentences.js';
import { NearCopies } from '../../../models/text/near-copies.js';
import { contextOf } from '../context.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

/** Pieces that a sentence may be cut into. */
const PIECE_TOKENS = 8;

interface StatsOptions extends ReadingOptions {
  readonly scheme?: string;
  readonly against?: string;
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
    .option(
      '--against <path>',
      'another corpus: say how many long sentences stand word for word in that, too',
    )
    .option('--skip-bad', 'count bad documents and go on')
    .action(run);
}

async function run(path: string, options: StatsOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const reading = new Reading(context, options);
  const statistics = new CorpusStatistics();
  const nearCopies = new NearCopies();
  const elsewhere = await longSentencesIn(options.against, new Reading(context, options));
  const standing = { sentences: 0, found: 0 };
  const inClear = options.scheme === undefined ? undefined : inClearIn(options.scheme);
  for await (const document of reading.documents(path)) {
    statistics.add(document);
    nearCopies.add(document);
    if (elsewhere)
      for (const sentence of longSentencesOf(document)) {
        standing.sentences++;
        if (elsewhere.has(sentence)) standing.found++;
      }
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
  const count = nearCopies.count();
  const summary = {
    ...{ ...statistics.summary(), nearCopies: count, bad, remarks: remarks.counts },
    ...(elsewhere && { standingElsewhere: standing }),
  };
  context.result(inClear ? { ...summary, unique, told } : summary, [
    ...statistics.lines(),
    ...(count > 0 ? [nearCopiesLine(count)] : []),
    ...(standing.sentences > 0 ? [standingLine(standing)] : []),
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

/** Undefined where there is no other corpus. */
async function longSentencesIn(
  path: string | undefined,
  reading: Reading,
): Promise<Set<string> | undefined> {
  if (path === undefined) return undefined;
  const found = new Set<string>();
  for await (const document of reading.documents(path))
    for (const sentence of longSentencesOf(document)) found.add(sentence);
  reading.report();
  return found;
}

function standingLine({ sentences, found }: { sentences: number; found: number }): string {
  const share = ((100 * found) / sentences).toFixed(1);
  return `long sentences that stand word for word in the other corpus: ${share} % of ${sentences}`;
}

function nearCopiesLine(count: number): string {
  return `nearly the same as another: ${count} documents, by three in ten of their long sentences, and three at least; splits keep them together`;
}

function toldLine({ by, notes, told }: Telling & { readonly by: string }): string {
  const share = ((100 * told) / notes).toFixed(1);
  return `labels of ${by} that no other note has: in ${share} % of ${notes} notes`;
}

function uniqueLine({ of, sentences, unique }: Uniqueness & { readonly of: string }): string {
  const share = ((100 * unique) / sentences).toFixed(1);
  return `labels that no other has: ${share} % of ${sentences} ${of}`;
}
