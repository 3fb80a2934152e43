import { Command, Option } from 'commander';
import { requireOwnFiles } from '../../../models/text/corpus/document-files.js';
import { WRITTEN_FORMATS, type WrittenFormat } from '../../../models/text/corpus/format.js';
import { TAG_SCHEMES, type TagScheme } from '../../../models/text/corpus/format-conll.js';
import { isFileFormat, writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { SchemeMapping } from '../../../models/text/scheme-mapping.js';
import { contextOf } from '../context.js';
import { formatOption, Reading, type ReadingOptions } from './corpus-reading.js';

interface ConvertOptions extends ReadingOptions {
  readonly to: WrittenFormat;
  readonly tags?: TagScheme;
  readonly gzip?: boolean;
  readonly scheme?: string;
  readonly dropUnmapped?: boolean;
}

/** `tacet corpus convert`: a corpus in another format and, with a label scheme, in other types. */
export function corpusConvertCommand(): Command {
  return new Command('convert')
    .description('write documents in another format or in the types of a label scheme')
    .argument('<in>', 'a file, or a directory that is searched')
    .argument(
      '<out>',
      'a new file for jsonl, conll, tsv, doccano, label-studio and bioc, a directory for the others',
    )
    .addOption(
      new Option('--to <format>', 'format to write')
        .choices([...WRITTEN_FORMATS])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--tags <scheme>', 'how conll and tsv tag spans (default: iob2)').choices([
        ...TAG_SCHEMES,
      ]),
    )
    .option('--gzip', 'compress files in a directory; a single file is where it is named .gz')
    .addOption(formatOption())
    .option('--scheme <name>', 'label scheme to map the types to: a name or a file')
    .option('--drop-unmapped', 'leave out spans of types that the scheme does not know')
    .option('--skip-bad', 'count bad documents and go on')
    .action(run);
}

async function run(
  path: string,
  out: string,
  options: ConvertOptions,
  command: Command,
): Promise<void> {
  const { to, tags, gzip, scheme, dropUnmapped, format, skipBad } = options;
  if (dropUnmapped && scheme === undefined)
    command.error('error: --drop-unmapped goes with --scheme');
  const context = contextOf(command);
  const { signal } = context;
  const mapping = scheme === undefined ? undefined : new SchemeMapping(loadLabelScheme(scheme));
  if (mapping !== undefined && !dropUnmapped) {
    const first = new Reading(context, options);
    for await (const { document, origin } of first.placed(path)) mapping.apply(document, origin);
    mapping.refuseUnmapped(path);
  }
  if (!isFileFormat(to)) await requireOwnFiles(path, { format, skipBad, signal });
  const reading = new Reading(context, options);
  const { remarks } = reading;
  const documents = await writeCorpus(mapDocuments(reading.documents(path), mapping), out, to, {
    tags,
    gzip,
    remarks,
    signal,
  });
  const dropped = mapping?.unmapped() ?? {};
  context.result(
    { documents, bad: reading.bad, out, format: to, remarks: remarks.counts, dropped },
    [
      `${documents} documents written to ${out}`,
      ...Object.entries(dropped).map(([type, count]) => `${count} ${type} spans dropped`),
    ],
  );
  reading.report();
}

async function* mapDocuments(
  documents: AsyncIterable<Document>,
  mapping: SchemeMapping | undefined,
): AsyncGenerator<Document> {
  for await (const document of documents) yield mapping?.apply(document) ?? document;
}
