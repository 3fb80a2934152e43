import path from 'node:path';
import type { SurrogateLocale } from '../../models/surrogates/surrogate-language.js';
import { requireOwnFiles } from '../../models/text/corpus/document-files.js';
import type { WrittenFormat } from '../../models/text/corpus/format.js';
import { readCorpus } from '../../models/text/corpus/read-corpus.js';
import { isFileFormat } from '../../models/text/corpus/write-corpus.js';
import type { Document } from '../../models/text/document.js';
import { TacetError } from '../../proto/errors.js';
import type { ModelThread } from '../encoder/model-thread.js';
import type { DeidentifyOptions } from '../institution/deidentify/deidentify.js';
import { sharesPhi } from '../institution/deidentify/named-id.js';
import type { PatternChoice } from '../institution/deidentify/recognisers/recognisers.js';
import { ResumableOutput } from '../institution/deidentify/resumable-output.js';
import type { Treatment } from '../institution/deidentify/treatment.js';
import { type PipelineChoice, withPipeline } from './approved-pipeline.js';
import type { Context } from './context.js';
import { sayOtherFiles } from './left-out-files.js';

/** Notes to take PHI out of, with what, and where to. */
export interface DeidentificationJob extends PipelineChoice {
  /** File or directory of notes. */
  readonly input: string;
  /** Directory to write, for `jsonl` a file. */
  readonly output: string;
  readonly format: WrittenFormat;
  readonly treatment: Treatment;
  readonly language?: SurrogateLocale | undefined;
  readonly patterns: PatternChoice;
  /** Goes on with an output that was interrupted. */
  readonly resume?: boolean | undefined;
  /** Leaves out documents that cannot be read. */
  readonly skipBad?: boolean | undefined;
}

export interface DeidentificationReport {
  readonly documents: number;
  readonly spans: number;
  /** Documents that an interrupted run had done. */
  readonly done: number;
  /** Documents that could not be read. */
  readonly bad: number;
  readonly threshold: number | null;
  readonly output: string;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Takes PHI out of notes with a published pipeline, which must be approved first. What was written
 * before an interruption is kept, to go on with. Throws `usage` for options that contradict each other,
 * and as `verifyBundle`, `approveModel`, `requireOwnFiles`, `readCorpus` and `ResumableOutput.open`.
 */
export async function deidentifyNotes(
  job: DeidentificationJob,
  context: Work,
): Promise<DeidentificationReport> {
  if (job.format === 'text' && job.treatment === 'annotate')
    throw new TacetError('usage', '--policy annotate needs a format with spans: brat, i2b2, jsonl');
  return withPipeline(job, context, ({ models, digest, threshold }) =>
    writeAll({ ...job, threshold }, digest, models, context),
  );
}

async function writeAll(
  job: DeidentificationJob,
  model: string,
  models: ModelThread,
  context: Work,
): Promise<DeidentificationReport> {
  const { skipBad, output, format, treatment, language, patterns, resume = false } = job;
  const { signal, say } = context;
  const threshold = job.threshold ?? null;
  if (!isFileFormat(format)) await requireOwnFiles(job.input, { skipBad, signal });
  let bad = 0;
  const documents = readCorpus(job.input, { skipBad, onBad: () => bad++, signal });
  // Where there is nothing to read, nothing is made.
  const first = await documents.next();
  const all = first.done ? documents : startingWith(first.value, documents);
  const from = { input: path.resolve(job.input), model, format };
  const settings = {
    ...{ ...from, policy: treatment, language: language ?? null, threshold },
    patterns: typeof patterns === 'boolean' ? patterns : patterns.join(),
  };
  const written = await ResumableOutput.open(output, format, settings, resume);
  try {
    const { named, ...counts } = await deidentifyAll(all, written, models, job, context);
    await written.finish();
    if (named > 0) say(namedLine(named, counts.documents));
    await sayOtherFiles(job.input, context);
    if (bad > 0) say(`left out ${bad} documents that could not be read`);
    if (counts.done > 0) say(`passed over ${counts.done} documents that were done before`);
    return { ...counts, bad, threshold, output };
  } catch (error) {
    if (await written.abandon())
      say(
        `${output}: not finished; ${isInTheWay(error) ? 'clear the way, then ' : ''}go on with --resume`,
      );
    throw error;
  }
}

/** What would stop it again. */
function isInTheWay(error: unknown): boolean {
  return error instanceof TacetError && error.code === 'file-exists';
}

interface Counts extends Pick<DeidentificationReport, 'documents' | 'spans' | 'done'> {
  /** Documents whose id, or name of a file, has a word of the PHI in them. */
  readonly named: number;
}

/** Nothing of an id is said, which may be a name. */
function namedLine(named: number, documents: number): string {
  return (
    `${named} of ${documents} ids or names of files have words of the PHI in their notes, and stay as they are: ` +
    'give the notes other names before they leave this house'
  );
}

async function deidentifyAll(
  documents: AsyncIterable<Document>,
  output: ResumableOutput,
  models: ModelThread,
  { treatment, language, threshold, patterns }: DeidentificationJob,
  { signal, progress }: Work,
): Promise<Counts> {
  const how: Omit<DeidentifyOptions, 'signal'> = { treatment, language, threshold, patterns };
  const counts = { documents: 0, spans: 0, done: 0, named: 0 };
  for await (const document of documents) {
    signal.throwIfAborted();
    if (output.isDone(document.id)) {
      counts.done++;
      continue;
    }
    const replaced = await models.call('deidentify', { document, how }, { signal });
    await output.write(replaced);
    counts.documents++;
    counts.spans += replaced.spans.length;
    if (sharesPhi(document.id, document.text, replaced.found)) counts.named++;
    progress({ step: 'de-identify', done: counts.documents + counts.done, unit: 'documents' });
  }
  return counts;
}

async function* startingWith(
  first: Document,
  rest: AsyncIterable<Document>,
): AsyncGenerator<Document> {
  yield first;
  yield* rest;
}
