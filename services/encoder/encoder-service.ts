import {
  languageOfLocale,
  SURROGATE_LANGUAGES,
  type SurrogateLanguage,
  type SurrogateLocale,
  surrogateLanguageOf,
  surrogateLocaleOf,
} from '../../models/surrogates/surrogate-language.js';
import type { Document } from '../../models/text/document.js';
import { loadLabelScheme } from '../../models/text/label-scheme.js';
import { TacetError } from '../../proto/errors.js';
import { problemOf } from '../../proto/problem.js';
import { requireAllowedCopies } from '../institution/approval/allowed-copies.js';
import { requireAllowedKeptTypes } from '../institution/approval/allowed-kept-types.js';
import { type ApprovalGrounds, approveModel } from '../institution/approval/model-approval.js';
import type { Policy } from '../institution/approval/policy.js';
import { StandingApproval } from '../institution/approval/standing-approval.js';
import type {
  DeidentifiedDocument,
  DeidentifyOptions,
} from '../institution/deidentify/deidentify.js';
import { presidioType } from '../institution/deidentify/presidio/analyze.js';
import type { AnalyzeRequest } from '../institution/deidentify/presidio/analyze-request.js';
import type { AnonymizeRequest } from '../institution/deidentify/presidio/anonymize.js';
import type { DeanonymizeRequest } from '../institution/deidentify/presidio/deanonymize.js';
import type { RecognizerResult } from '../institution/deidentify/presidio/recognizer-result.js';
import { needsRefinement } from '../institution/deidentify/presidio/refine.js';
import type { Rewritten } from '../institution/deidentify/presidio/rewrite.js';
import {
  patternTypes,
  requireRecognizer,
} from '../institution/deidentify/presidio/supported-recognizers.js';
import { TextThreads } from '../institution/deidentify/presidio/text-threads.js';
import type { EncodeOptions } from '../institution/release/job/encode-options.js';
import { documentBytes } from './document-bytes.js';
import { JobFiles, type JobRecord, resolveInput, withoutNames } from './job-files.js';
import { Jobs, type JobView } from './jobs.js';
import type { SecondReading } from './model-calls.js';
import type { ModelThread } from './model-thread.js';

export interface EncoderOptions {
  /** Ledger, outbox and jobs. */
  readonly home: string;
  readonly models: ModelThread;
  /** What the policy says of each job; of a limit, where a job keeps any entity. */
  readonly limits: Pick<
    EncodeOptions,
    | 'maxReleases'
    | 'minDocuments'
    | 'certification'
    | 'entities'
    | 'keptTypes'
    | 'inventory'
    | 'inventoryDigest'
    | 'maxAlike'
    | 'labelDocuments'
  >;
  /** What a job may ask for: copies of a note, as many as it likes without a policy, and types that are kept. */
  readonly policy?: Pick<Policy, 'maxCopies' | 'maxReleases' | 'keptTypes'> | undefined;
  /** How the pipeline reads the notes of each job once more for names that nobody labelled. */
  readonly reading?: SecondReading | undefined;
  /** Files below this directory may be encoded. */
  readonly input?: string | undefined;
  /**
   * What each job asks whether the model may be used; where it does not say so, there is no job. The
   * pipeline is asked for again and again while the service is open.
   */
  readonly approval: ApprovalGrounds;
  /** Of the pipeline, where it came from another registry. */
  readonly pipelineApproval?: ApprovalGrounds | undefined;
  /** Between two questions about the pipeline; a minute by default. */
  readonly recheckMs?: number | undefined;
  /** The languages that the pipeline reads; those of surrogates by default. */
  readonly languages?: readonly string[] | undefined;
  /** Types by Presidio's names that `/analyze` leaves out. */
  readonly ignored?: readonly string[] | undefined;
  /** As `AnalyzeOptions.lowScored`. */
  readonly lowScored?: readonly string[] | undefined;
  /** What the patterns of one request may take; some seconds by default. */
  readonly matchingMs?: number | undefined;
  /** Of de-identification, unless a request asks for another. */
  readonly threshold?: number | undefined;
  /** Makes any failure one that may be shown. */
  readonly explain: (error: unknown) => TacetError;
}

/** What a job may ask for. */
export interface JobOptions {
  readonly dryRun?: boolean;
  /** As of `EncodeOptions`. */
  readonly copies?: number;
  /** Types whose entities are kept; those that the service was started with where it does not say so. */
  readonly keep?: readonly string[] | undefined;
  /** As of `EncodeOptions`. */
  readonly withoutPhi?: boolean;
}

/** What the encoder's routes work on. */
export class EncoderService {
  readonly jobs: Jobs;
  readonly #standing: StandingApproval | undefined;
  readonly #threads: TextThreads;
  /** What each dry run over files looked at, to let it leave; of this process alone. */
  readonly #dryRuns = new Map<
    string,
    Required<Omit<JobOptions, 'dryRun'>> & { readonly input: string }
  >();
  /** When the registry last answered about the model, at a job. */
  #modelAnswered: Date | undefined;

  private constructor(
    readonly options: EncoderOptions,
    private readonly files: JobFiles,
  ) {
    this.jobs = new Jobs(options.explain, (id) => {
      this.#dryRuns.delete(id);
      files.remove(id).catch(options.explain);
    });
    const { models, recheckMs } = options;
    const approval = options.pipelineApproval ?? options.approval;
    const { pipeline } = models.identities;
    this.#standing = pipeline && new StandingApproval(pipeline, approval, recheckMs);
    this.#threads = new TextThreads(options.matchingMs);
  }

  /**
   * Finds the jobs of earlier processes again: those over files that did not end are taken up, those
   * over documents, which lived in the process alone, are reported as interrupted.
   */
  static async open(options: EncoderOptions): Promise<EncoderService> {
    const service = new EncoderService(options, await JobFiles.open(options.home));
    for (const record of await service.files.all()) await service.#takeUp(record);
    return service;
  }

  /** Throws where the pipeline may no longer be used, e.g. `model-revoked`. */
  requireReady(): void {
    this.#standing?.require();
  }

  /**
   * The types of PHI that are found in texts of the languages, by Presidio's names. Throws `not-found`
   * without a pipeline.
   */
  presidioTypes(languages: readonly string[] = this.languages): readonly string[] {
    const presidio = loadLabelScheme('presidio');
    const { types } = this.#requirePipeline();
    const ofModel = types.map((type) => presidioType(type, presidio));
    const found = [...new Set([...ofModel, ...patternTypes(languages)])];
    return found.filter((type) => !this.options.ignored?.includes(type));
  }

  /** The languages that the pipeline reads. */
  get languages(): readonly string[] {
    return this.options.languages ?? SURROGATE_LANGUAGES;
  }

  /** Of surrogates where a request names none: the first that the pipeline reads and there are any in. */
  get surrogateLanguage(): SurrogateLanguage | undefined {
    return this.languages.map(surrogateLanguageOf).find((each) => each !== undefined);
  }

  /** A language, by default `surrogateLanguage`, of the region that the pipeline reads. */
  #locale(
    language: SurrogateLocale | undefined = this.surrogateLanguage,
  ): SurrogateLocale | undefined {
    const locales = this.languages.map(surrogateLocaleOf);
    return locales.find((each) => each && languageOfLocale(each) === language) ?? language;
  }

  /** Throws `not-found` without a pipeline, and `request-invalid` where there are no surrogates of its languages. */
  async deidentify(
    document: Document,
    asked: Omit<DeidentifyOptions, 'signal'>,
    signal: AbortSignal,
  ): Promise<DeidentifiedDocument> {
    this.#requirePipeline();
    const how = { ...asked, language: this.#locale(asked.language) };
    if (how.treatment === 'surrogate' && how.language === undefined)
      throw new TacetError(
        'request-invalid',
        `there are no surrogates of what the pipeline reads (${this.languages.join(', ')}); name the language ` +
          `of others (${SURROGATE_LANGUAGES.join(', ')}), or ask for another policy`,
      );
    return this.options.models.call('deidentify', { document, how }, { signal });
  }

  async analyze(
    request: AnalyzeRequest,
    signal: AbortSignal,
  ): Promise<RecognizerResult[] | RecognizerResult[][]> {
    requireRecognizer(request, this.presidioTypes([request.language]), this.languages);
    const { models, threshold, lowScored, ignored = [] } = this.options;
    const answer = await models.call('analyze', { request, threshold, lowScored }, { signal });
    const isOne = typeof request.text === 'string';
    const found = ((isOne ? [answer] : answer) as RecognizerResult[][]).map((results) =>
      results.filter(({ entity_type }) => !ignored.includes(entity_type)),
    );
    const refined = needsRefinement(request)
      ? await this.#threads.refine({ request, found }, signal)
      : found;
    return isOne ? (refined[0] ?? []) : refined;
  }

  anonymize(request: AnonymizeRequest, signal: AbortSignal): Promise<Rewritten> {
    return this.#threads.anonymize(request, signal);
  }

  deanonymize(request: DeanonymizeRequest, signal: AbortSignal): Promise<Rewritten> {
    return this.#threads.deanonymize(request, signal);
  }

  /** A job over documents, which live in this process alone: after a kill they must be sent again. */
  async encodeDocuments(documents: readonly Document[], how: JobOptions = {}): Promise<JobView> {
    this.#requireModel();
    const record = await this.#newRecord(null, how, documentBytes(documents));
    return this.#submit(record, async () => documents);
  }

  /** A job over files, which a restart takes up again. */
  async encodeFiles(input: string, how: JobOptions = {}): Promise<JobView> {
    this.#requireModel();
    await resolveInput(this.options.input, input);
    const record = await this.#newRecord(input, how);
    const { dryRun, copies = 1, keep = [], withoutPhi = false } = record;
    if (dryRun) this.#dryRuns.set(record.view.id, { input, copies, keep, withoutPhi });
    return this.#submitFiles(record, input);
  }

  /** When a registry last answered about the model and the pipeline since this service was opened. */
  get answered(): { readonly model: Date | undefined; readonly pipeline: Date | undefined } {
    return { model: this.#modelAnswered, pipeline: this.#standing?.answered };
  }

  /** Whether a job is a dry run over files whose notes could now be encoded. */
  isDryRun(id: string): boolean {
    return this.#dryRuns.has(id);
  }

  /** A job over the files of a dry run that lets them leave. Throws `not-found`, also after a restart. */
  releaseDryRun(id: string): Promise<JobView> {
    const looked = this.#dryRuns.get(id);
    if (looked) return this.encodeFiles(looked.input, looked);
    throw new TacetError('not-found', 'this is no dry run, or one of before a restart; look again');
  }

  /** Stops running jobs between two segments; file jobs go on at the next start. */
  async close(): Promise<void> {
    this.#standing?.close();
    await Promise.all([this.jobs.close(), this.#threads.close()]);
  }

  async #takeUp(record: JobRecord): Promise<void> {
    const { view, input } = record;
    if (view.ended !== null) this.jobs.restore(view);
    else if (input === null) {
      const interrupted = interruptedView(view);
      await this.files.put({ ...record, view: interrupted });
      this.jobs.restore(interrupted);
    } else if (this.options.models.identities.model) this.#submitFiles(record, input);
  }

  /** The record of a new job, which a restart finds. Throws `policy-otherwise`, `request-invalid` and as `Jobs.create`. */
  async #newRecord(
    input: string | null,
    {
      dryRun = false,
      copies = 1,
      keep = this.options.limits.keptTypes ?? [],
      withoutPhi = false,
    }: JobOptions,
    bytes = 0,
  ): Promise<JobRecord> {
    this.#requireTreatment(copies, keep);
    const record = { view: this.jobs.create(bytes), input, dryRun, copies, keep, withoutPhi };
    try {
      await this.files.put(record);
      return record;
    } catch (error) {
      this.jobs.giveUp(record.view);
      throw error;
    }
  }

  #requireTreatment(copies: number, keep: readonly string[]): void {
    const { limits, policy } = this.options;
    requireAllowedCopies(copies, 'copies', policy);
    requireAllowedKeptTypes(keep, 'keep', policy);
    if (keep.length > 0 && limits.entities === 'kept')
      throw new TacetError('request-invalid', 'keep: this encoder keeps entities of every type');
    if (copies > 1 && keep.length > 0)
      throw new TacetError(
        'request-invalid',
        'copies: entities that are kept are the same in each',
      );
    if (copies > 1 && limits.entities === 'kept')
      throw new TacetError(
        'request-invalid',
        'copies: this encoder keeps entities, which are the same in each',
      );
  }

  #submitFiles(record: JobRecord, input: string): JobView {
    return this.#submit(record, () => resolveInput(this.options.input, input));
  }

  #submit(record: JobRecord, inputOf: () => Promise<readonly Document[] | string>): JobView {
    const { models, approval, home, limits, reading } = this.options;
    const { dryRun, copies = 1, keep: keptTypes = [], withoutPhi } = record;
    return this.jobs.submit(record.view, {
      run: async (context) => {
        const status = await approveModel(this.#requireModel(), approval, context.signal);
        if (status) this.#modelAnswered = new Date();
        // Of a job that was taken up again, the policy may have changed.
        this.#requireTreatment(copies, keptTypes);
        const keepsEntities = limits.entities === 'kept' || keptTypes.length > 0;
        const certification = keepsEntities ? limits.certification : undefined;
        const how = { certification, keptTypes, dryRun, copies, withoutPhi };
        const options = { ...limits, ...how, requireHome: true };
        const input = await inputOf();
        const call = { input, home, options, reading };
        const encoded = models.call('encode', call, context).catch(async (error: unknown) => {
          throw typeof input === 'string' ? await withoutNames(error, input) : error;
        });
        const { segments, bad: _, ...report } = await encoded;
        return { ...report, segments: segments.length };
      },
      // A shutdown leaves the job to the next start; a person's cancellation ends it.
      ended: (view) => this.files.put({ ...record, input: null, view }),
    });
  }

  #requirePipeline() {
    const { pipeline } = this.options.models.identities;
    if (!pipeline) throw new TacetError('not-found', 'this encoder was started without --pipeline');
    this.requireReady();
    return pipeline;
  }

  #requireModel() {
    const { model } = this.options.models.identities;
    if (!model) throw new TacetError('not-found', 'this encoder was started without --model');
    return model;
  }
}

function interruptedView(view: JobView): JobView {
  const error = new TacetError(
    'interrupted',
    'the encoder stopped before this job ended and kept no text of it; send the documents again: ' +
      'what was released already stays released once',
  );
  const ended = new Date().toISOString();
  return { ...view, state: 'interrupted', ended, problem: problemOf(error) };
}
