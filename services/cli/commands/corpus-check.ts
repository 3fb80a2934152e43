import { Command } from 'commander';
import { CorpusStatistics, type CutToken } from '../../../models/text/corpus-statistics.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { SchemeMapping } from '../../../models/text/scheme-mapping.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

interface CheckOptions extends ReadingOptions {
  readonly scheme?: string;
}

/** `tacet corpus check`: everything that is wrong with a corpus, and what is odd about it. */
export function corpusCheckCommand(): Command {
  return new Command('check')
    .description('read every document and list what is wrong')
    .argument('<path>', 'a file, or a directory that is searched')
    .addOption(formatOption())
    .option('--scheme <name>', 'label scheme that must know every type: a name or a file')
    .action(run);
}

async function run(path: string, options: CheckOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const mapping =
    options.scheme === undefined ? undefined : new SchemeMapping(loadLabelScheme(options.scheme));
  const reading = new Reading(context, { ...options, skipBad: true });
  const statistics = new CorpusStatistics();
  for await (const { document, origin } of reading.placed(path)) {
    statistics.add(document);
    mapping?.apply(document, origin);
  }
  const { bad, problems, remarks } = reading;
  const { cutTokens } = statistics;
  const { documents, spans, boundariesWithinTokens } = statistics.summary();
  const unknownTypes = Object.keys(mapping?.unmapped() ?? {});
  context.result(
    {
      documents,
      spans,
      bad,
      problems,
      unknownTypes,
      remarks: remarks.counts,
      boundariesWithinTokens,
      cutTokens,
    },
    [
      ...problems,
      ...cutTokens.map(describe),
      ...remarks.lines(),
      `${boundariesWithinTokens} of ${2 * spans} span boundaries are not token boundaries`,
      `${documents} documents with ${spans} spans are well-formed, ${bad} are not`,
    ],
  );
  if (bad > 0) throw new TacetError('corpus-invalid', `${path}: ${bad} documents are malformed`);
  mapping?.refuseUnmapped(path);
}

function describe({ document, offset }: CutToken): string {
  return `${document}: the span boundary at ${offset} is not a token boundary`;
}
