import path from 'node:path';
import type { SurrogateLocale } from '../../models/surrogates/surrogate-language.js';
import { writeParts } from '../../models/text/corpus/output-file.js';
import {
  decodeUtf8,
  isBlank,
  readChunks,
  readLines,
  readText,
} from '../../models/text/corpus/read-bytes.js';
import { TacetError } from '../../proto/errors.js';
import type { DeidentifyOptions } from '../institution/deidentify/deidentify.js';
import type { PatternChoice } from '../institution/deidentify/recognisers/recognisers.js';
import { isBadRecord } from '../institution/deidentify/records/bad-record.js';
import { deidentifyCda } from '../institution/deidentify/records/cda/deidentify-cda.js';
import {
  deidentifyResource,
  statedResourceType,
} from '../institution/deidentify/records/fhir/deidentify-resource.js';
import {
  formatExactJson,
  parseExactJson,
} from '../institution/deidentify/records/fhir/exact-json.js';
import { formatLeftOut, type LeftOut } from '../institution/deidentify/records/left-out.js';
import { RecordContext } from '../institution/deidentify/records/record-context.js';
import { RecordCounts, type Removal } from '../institution/deidentify/records/record-counts.js';
import { Renaming } from '../institution/deidentify/records/renaming.js';
import { type EditText, editsOf } from '../institution/deidentify/records/text-edits.js';
import type { Treatment } from '../institution/deidentify/treatment.js';
import { type ApprovedPipeline, type PipelineChoice, withPipeline } from './approved-pipeline.js';
import type { Context } from './context.js';
import { sayOtherFiles } from './left-out-files.js';
import { namesRecords, type RecordFormat, recordFiles } from './record-files.js';

/** Records to take PHI out of, with what, and where to. */
export interface RecordJob extends PipelineChoice {
  /** A file, or a directory that is searched. */
  readonly input: string;
  /** A new directory, or one in which no file is in the way. */
  readonly output: string;
  readonly format: RecordFormat;
  readonly treatment: Treatment;
  readonly language?: SurrogateLocale | undefined;
  readonly patterns: PatternChoice;
  /** Leaves out what cannot be de-identified: entries of Bundles, resources of NDJSON, files, and folders that cannot be listed. */
  readonly skipBad?: boolean | undefined;
}

export interface RecordReport {
  readonly files: number;
  readonly records: number;
  readonly texts: number;
  readonly spans: number;
  readonly removed: Readonly<Partial<Record<Removal, number>>>;
  /** Files, folders, and lines of bulk exports, that were left out. */
  readonly bad: number;
  /** Each of these, and each entry of a Bundle that was. */
  readonly leftOut: readonly LeftOut[];
  readonly threshold: number | null;
  readonly output: string;
}

type Work = Pick<Context, 'signal' | 'progress' | 'say'>;

/**
 * Takes PHI out of FHIR or CDA with a published pipeline and the rules of their elements, file by file under the
 * same names. Identifiers are renamed and dates moved alike in all files of a run. Throws `usage`,
 * `record-invalid`, `record-unsupported`, `file-exists`, and as `withPipeline`.
 */
export async function deidentifyRecords(job: RecordJob, context: Work): Promise<RecordReport> {
  if (job.treatment === 'annotate')
    throw new TacetError('usage', '--policy annotate leaves texts as they are; choose another');
  const leftOut: LeftOut[] = [];
  const leaveOut = ({ code }: TacetError, file: string) => void leftOut.push({ file, code });
  const files = await recordFiles(job.input, job.format, job.skipBad ? leaveOut : undefined);
  return withPipeline(job, context, async (pipeline) => {
    const run = new RecordRun(job, pipeline, context);
    for (const folder of leftOut) run.leaveOut(folder);
    for (const file of files) await run.file(file);
    await sayOtherFiles(job.input, context, namesRecords(job.format));
    return run.report();
  });
}

class RecordRun {
  readonly #counts = new RecordCounts();
  readonly #context: RecordContext;
  #files = 0;
  #bad = 0;
  readonly #leftOut: LeftOut[] = [];
  /** Of the resource at hand. */
  #resourceType: string | undefined;

  constructor(
    private readonly job: RecordJob,
    private readonly pipeline: ApprovedPipeline,
    private readonly work: Work,
  ) {
    const { treatment, language, patterns } = job;
    const { models, threshold } = pipeline;
    const how: Omit<DeidentifyOptions, 'signal'> = { treatment, language, patterns, threshold };
    const edit: EditText = async (text, shift) => {
      const document = { id: 'text', text, spans: [] };
      const { signal } = work;
      return editsOf(
        await models.call('deidentify', { document, how: { ...how, shift } }, { signal }),
      );
    };
    this.#context = new RecordContext(edit, new Renaming(), this.#counts, work.signal);
  }

  async file(name: string): Promise<void> {
    const { input, output, skipBad } = this.job;
    const from = path.join(input, name);
    const file = name === '' ? path.basename(input) : name;
    const to = path.join(output, file);
    try {
      await writeParts(to, this.#parts(from, file));
      this.#files++;
    } catch (error) {
      if (!skipBad || !isBadRecord(error)) throw error;
      this.leaveOut({ file, resourceType: this.#resourceType, code: error.code });
    } finally {
      this.#resourceType = undefined;
    }
  }

  /** A file, a folder, or a line. */
  leaveOut(whole: LeftOut): void {
    this.#bad++;
    this.#leftOut.push(whole);
  }

  report(): RecordReport {
    const { records, texts, spans, removed } = this.#counts;
    for (const line of this.#counts.lines()) this.work.say(line);
    for (const each of this.#leftOut) this.work.say(`left out ${formatLeftOut(each)}`);
    const threshold = this.pipeline.threshold ?? null;
    const { output } = this.job;
    return {
      files: this.#files,
      records,
      texts,
      spans,
      removed,
      bad: this.#bad,
      leftOut: this.#leftOut,
      threshold,
      output,
    };
  }

  async *#parts(from: string, file: string): AsyncGenerator<string> {
    if (/\.(ndjson|jsonl)(\.gz)?$/i.test(from)) yield* this.#lines(from, file);
    else {
      const text = await readText(from);
      yield this.job.format === 'cda'
        ? await deidentifyCda(text, this.#context, from)
        : `${await this.#resource(text, from, { file }, 2)}\n`;
      this.#done();
    }
  }

  /** A resource a line, as bulk exports have it. */
  async *#lines(from: string, file: string): AsyncGenerator<string> {
    for await (const { number, bytes } of readLines(readChunks(from))) {
      if (bytes !== undefined && isBlank(bytes)) continue;
      const origin = `${from}:${number}`;
      const place = { file, line: number };
      try {
        if (bytes === undefined)
          throw new TacetError('record-invalid', `${origin}: the line is too long; split it`);
        yield `${await this.#resource(decodeUtf8(bytes, origin), origin, place)}\n`;
        this.#done();
      } catch (error) {
        if (!this.job.skipBad || !isBadRecord(error)) throw error;
        this.leaveOut({ ...place, resourceType: this.#resourceType, code: error.code });
      } finally {
        this.#resourceType = undefined;
      }
    }
  }

  async #resource(
    json: string,
    origin: string,
    place: Pick<LeftOut, 'file' | 'line'>,
    indent?: number,
  ): Promise<string> {
    const value = parseExactJson(json);
    if (value === undefined)
      throw new TacetError('record-invalid', `${origin}: no JSON; expected a FHIR resource`);
    this.#resourceType = statedResourceType(value);
    const entries: LeftOut[] = [];
    const onSkipped = (entry: Omit<LeftOut, 'file' | 'line'>) =>
      void entries.push({ ...place, ...entry });
    const options = this.job.skipBad ? { onSkipped } : {};
    const clean = await deidentifyResource(value, this.#context, origin, options);
    this.#leftOut.push(...entries);
    return formatExactJson(clean, indent);
  }

  #done(): void {
    this.work.signal.throwIfAborted();
    this.work.progress({ step: 'de-identify', done: this.#counts.records, unit: 'records' });
  }
}
