import type { Tagger } from '../../models/networks/tagger.js';
import { readCorpus } from '../../models/text/corpus/read-corpus.js';
import type { Document } from '../../models/text/document.js';
import { TacetError } from '../../proto/errors.js';
import type { ServiceClient } from '../http/client.js';
import { type EncodeOptions, encode } from './encode.js';
import type { EncodingModel } from './encoding-model.js';
import { JobFiles, resolveInput } from './job-files.js';
import { Jobs, type JobView } from './jobs.js';
import { checkModelStatus } from './model-status.js';
import type { DocumentSource } from './portions.js';

export interface EncoderOptions {
  /** Ledger, outbox and unfinished jobs. */
  readonly home: string;
  readonly model?: EncodingModel | undefined;
  readonly tagger?: Tagger | undefined;
  /** What the policy says of each job. */
  readonly limits: Pick<EncodeOptions, 'maxReleases' | 'minDocuments' | 'certification'>;
  /** Files below this directory may be encoded. */
  readonly input?: string | undefined;
  /** Asked before each job whether the model was revoked; no answer, no job. */
  readonly registry?: ServiceClient | undefined;
  /** Of de-identification, unless a request asks for another. */
  readonly threshold?: number | undefined;
  /** Makes any failure one that may be shown. */
  readonly explain: (error: unknown) => TacetError;
}

/** What the encoder's routes work on. */
export class EncoderService {
  readonly jobs: Jobs;

  private constructor(
    readonly options: EncoderOptions,
    private readonly files: JobFiles,
  ) {
    this.jobs = new Jobs(options.explain);
  }

  /** Takes up the file jobs that an earlier process did not end. */
  static async open(options: EncoderOptions): Promise<EncoderService> {
    const service = new EncoderService(options, await JobFiles.open(options.home));
    if (options.model)
      for (const { id, input } of await service.files.unfinished()) service.#submitFiles(input, id);
    return service;
  }

  /** Throws `not-found` where no pipeline was loaded. */
  get tagger(): Tagger {
    const { tagger } = this.options;
    if (!tagger) throw new TacetError('not-found', 'this encoder was started without --pipeline');
    return tagger;
  }

  /** A job over documents that live in this process alone: a restart forgets it. */
  encodeDocuments(documents: readonly Document[], dryRun = false): JobView {
    const model = this.#model();
    return this.jobs.submit((context) => this.#encode(documents, model, { dryRun, ...context }));
  }

  /** A job over files, which a restart takes up again. */
  async encodeFiles(input: string, dryRun = false): Promise<JobView> {
    const model = this.#model();
    const path = await resolveInput(this.options.input, input);
    if (dryRun)
      return this.jobs.submit(({ signal, progress }) =>
        this.#encode(() => readCorpus(path, { signal }), model, { dryRun, signal, progress }),
      );
    const id = crypto.randomUUID();
    await this.files.add({ id, input });
    return this.#submitFiles(input, id);
  }

  #submitFiles(input: string, id: string): JobView {
    const model = this.#model();
    return this.jobs.submit(async (context) => {
      const { signal } = context;
      const path = await resolveInput(this.options.input, input);
      const settle = () => this.files.remove(id);
      try {
        const report = await this.#encode(() => readCorpus(path, { signal }), model, context);
        await settle();
        return report;
      } catch (error) {
        // A shutdown leaves the job for the next start; a person's cancellation ends it.
        if (!this.#closing) await settle();
        throw error;
      }
    }, id);
  }

  #closing = false;

  /** Stops running jobs between two segments; file jobs go on at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.jobs.close();
  }

  async #encode(
    documents: DocumentSource,
    model: EncodingModel,
    context: Pick<EncodeOptions, 'dryRun' | 'signal' | 'progress'>,
  ) {
    const { registry, home, limits } = this.options;
    if (registry) await checkModelStatus(registry, model, context.signal);
    const { segments, ...report } = await encode(documents, model, home, { ...limits, ...context });
    return { ...report, segments: segments.length };
  }

  #model(): EncodingModel {
    const { model } = this.options;
    if (!model) throw new TacetError('not-found', 'this encoder was started without --model');
    return model;
  }
}
