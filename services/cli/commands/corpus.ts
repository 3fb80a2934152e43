import { Command, Option } from 'commander';
import type { Progress } from '../../../models/progress.js';
import { CORPUS_FORMATS, type CorpusFormat } from '../../../models/text/corpus/format.js';
import { type ReadCorpusOptions, readCorpus } from '../../../models/text/corpus/read-corpus.js';
import { writeCorpus } from '../../../models/text/corpus/write-corpus.js';
import { CorpusStatistics } from '../../../models/text/corpus-statistics.js';
import type { Document } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TacetError } from '../../../proto/errors.js';
import { type Context, contextOf } from '../context.js';
import { corpusGenerateCommand } from './corpus-generate.js';

interface ReadingOptions {
  readonly format?: CorpusFormat;
  readonly skipBad?: boolean;
  readonly scheme?: string;
}

/** Problems beyond these are counted but not kept. */
const MAX_PROBLEMS = 100;
const PROGRESS_INTERVAL_MS = 500;

/** `tacet corpus`: look at annotated documents, and turn one format into another. */
export function corpusCommand(): Command {
  return new Command('corpus')
    .description('check, measure, convert and make annotated documents')
    .addCommand(checkCommand())
    .addCommand(convertCommand())
    .addCommand(corpusGenerateCommand())
    .addCommand(statsCommand());
}

function checkCommand(): Command {
  return new Command('check')
    .description('read every document and list what is wrong')
    .argument('<path>', 'a file, or a directory that is searched')
    .addOption(formatOption('--format <format>', 'format of the documents; detected when absent'))
    .option('--scheme <name>', 'label scheme that must know every type: a name or a file')
    .action(check);
}

function statsCommand(): Command {
  return new Command('stats')
    .description('count documents, sentences, tokens and spans')
    .argument('<path>', 'a file, or a directory that is searched')
    .addOption(formatOption('--format <format>', 'format of the documents; detected when absent'))
    .option('--skip-bad', 'count bad documents and go on')
    .action(stats);
}

function convertCommand(): Command {
  return new Command('convert')
    .description('write documents in another format')
    .argument('<in>', 'a file, or a directory that is searched')
    .argument('<out>', 'a new file for jsonl, a directory for the other formats')
    .addOption(formatOption('--to <format>', 'format to write').makeOptionMandatory())
    .addOption(formatOption('--format <format>', 'format of the documents; detected when absent'))
    .option('--skip-bad', 'count bad documents and go on')
    .action(convert);
}

function formatOption(flags: string, description: string): Option {
  return new Option(flags, description).choices([...CORPUS_FORMATS]);
}

async function check(path: string, options: ReadingOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const scheme = options.scheme === undefined ? undefined : loadLabelScheme(options.scheme);
  const reading = new Reading(context, { ...options, skipBad: true });
  const statistics = new CorpusStatistics();
  for await (const document of reading.documents(path)) statistics.add(document);
  const unknownTypes = scheme === undefined ? [] : statistics.typesUnknownTo(scheme);
  const { documents, spans } = statistics.summary();
  context.result({ documents, spans, bad: reading.bad, problems: reading.problems, unknownTypes }, [
    ...reading.problems,
    `${documents} documents with ${spans} spans are well-formed, ${reading.bad} are not`,
  ]);
  if (reading.bad > 0)
    throw new TacetError('corpus-invalid', `${path}: ${reading.bad} documents are malformed`);
  if (unknownTypes.length > 0)
    throw new TacetError(
      'label-unknown',
      `${path}: label scheme ${scheme?.name} has no ${unknownTypes.join(', ')}; add them to its map`,
    );
}

async function stats(path: string, options: ReadingOptions, command: Command): Promise<void> {
  const context = contextOf(command);
  const reading = new Reading(context, options);
  const statistics = new CorpusStatistics();
  for await (const document of reading.documents(path)) statistics.add(document);
  context.result({ ...statistics.summary(), bad: reading.bad }, statistics.lines());
  reading.report();
}

async function convert(
  path: string,
  out: string,
  { to, ...options }: ReadingOptions & { readonly to: CorpusFormat },
  command: Command,
): Promise<void> {
  const context = contextOf(command);
  const reading = new Reading(context, options);
  const { signal } = context;
  const documents = await writeCorpus(reading.documents(path), out, to, { signal });
  context.result(
    { documents, bad: reading.bad, out, format: to },
    `${documents} documents written to ${out}`,
  );
  reading.report();
}

/** Reads a corpus with progress, and keeps what was wrong with the documents that were skipped. */
class Reading {
  bad = 0;
  readonly problems: string[] = [];

  constructor(
    private readonly context: Context,
    private readonly options: ReadingOptions,
  ) {}

  async *documents(path: string): AsyncGenerator<Document> {
    const { format, skipBad } = this.options;
    const { signal, progress } = this.context;
    const onBad: ReadCorpusOptions['onBad'] = (error) => {
      this.bad++;
      if (this.problems.length < MAX_PROBLEMS) this.problems.push(error.message);
    };
    yield* counted(readCorpus(path, { format, skipBad, onBad, signal }), progress);
  }

  /** Says how many documents were skipped, if any. */
  report(): void {
    if (this.bad > 0) this.context.say(`bad documents skipped: ${this.bad}`);
  }
}

async function* counted(
  documents: AsyncIterable<Document>,
  progress: Progress,
): AsyncGenerator<Document> {
  let done = 0;
  let reportedMs = performance.now();
  for await (const document of documents) {
    yield document;
    done++;
    const nowMs = performance.now();
    if (nowMs - reportedMs < PROGRESS_INTERVAL_MS) continue;
    progress({ step: 'reading documents', done, unit: 'documents' });
    reportedMs = nowMs;
  }
}
