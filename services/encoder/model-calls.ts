import type { Trust } from '../../models/bundle/verify.js';
import { openEmbeddings } from '../../models/embeddings/open.js';
import type { Reader, Tagger } from '../../models/networks/tagger.js';
import { useBackend } from '../../models/tensor/backend.js';
import { readCorpus } from '../../models/text/corpus/read-corpus.js';
import type { Document } from '../../models/text/document.js';
import { type LabelScheme, loadLabelScheme } from '../../models/text/label-scheme.js';
import type { TaskContext } from '../../platform/threads/task.js';
import { TacetError } from '../../proto/errors.js';
import {
  type EncodingModel,
  type ModelIdentity,
  type VerifiedModel,
  verifyEncodingModel,
} from '../institution/bundles/encoding-model.js';
import { verifyTaggingModel } from '../institution/bundles/tagging-model.js';
import {
  type DeidentifiedDocument,
  type DeidentifyOptions,
  deidentify,
} from '../institution/deidentify/deidentify.js';
import {
  type OperatingPoint,
  operatingPoint,
} from '../institution/deidentify/operating-threshold.js';
import { type AnalyzeOptions, analyze } from '../institution/deidentify/presidio/analyze.js';
import type { AnalyzeRequest } from '../institution/deidentify/presidio/analyze-request.js';
import type { RecognizerResult } from '../institution/deidentify/presidio/recognizer-result.js';
import { findPhi } from '../institution/deidentify/recognisers/find-phi.js';
import { encode } from '../institution/release/encode.js';
import { EncodingThreads } from '../institution/release/encoding/encoding-threads.js';
import type { EncodeOptions } from '../institution/release/job/encode-options.js';
import type { EncodeReport } from '../institution/release/job/encode-report.js';
import {
  requireReadable,
  type SecondReader,
  type SuspectTreatment,
} from '../institution/release/suspects/second-reader.js';

/** Which models to open, and how far they are trusted. */
export interface ModelSetup {
  readonly trust: Trust;
  /** File of the word vectors, or `wink`. */
  readonly embeddings: string;
  /** A representation bundle, to encode with. */
  readonly model?: string | undefined;
  /** Label scheme of what is encoded; the bundle's own by default. */
  readonly scheme?: string | undefined;
  /** A pipeline bundle, to de-identify with. */
  readonly pipeline?: string | undefined;
  /** Others of the same labels, which decide with it. */
  readonly beside?: readonly PipelineBeside[] | undefined;
  readonly backend?: string | undefined;
}

/** A pipeline bundle that decides with another, on word vectors of its own. */
export interface PipelineBeside {
  readonly pipeline: string;
  readonly trust: Trust;
  /** File of the word vectors, or `wink`. */
  readonly embeddings: string;
}

/** The models of a setup, verified. */
export interface ModelIdentities {
  readonly model: SignedIdentity | undefined;
  /** With the types of PHI that it finds. */
  readonly pipeline: (SignedIdentity & { readonly types: readonly string[] }) | undefined;
  /** Those that decide with it. */
  readonly beside: readonly SignedIdentity[];
}

/** Which model it is, and whose keys signed it. */
export type SignedIdentity = ModelIdentity & Pick<VerifiedModel<unknown>, 'keyIds'>;

export interface EncodeCall {
  /** Documents at hand, or a file or directory of a corpus. */
  readonly input: readonly Document[] | string;
  /** Leave out documents of a corpus that cannot be read. */
  readonly skipBad?: boolean | undefined;
  readonly home: string;
  readonly options: Omit<EncodeOptions, 'threads' | 'signal' | 'progress' | 'reader'>;
  /** Has the pipeline of the setup read the notes once more. */
  readonly reading?: SecondReading | undefined;
}

/** How a pipeline reads notes for what their annotators missed. */
export interface SecondReading {
  readonly treatment: SuspectTreatment;
  /** As `TagOptions.threshold`: the lower, the more it suspects. */
  readonly threshold: number;
}

type How<O> = Omit<O, 'signal'>;

/** Words that a de-identifier may have met before it forgets them: some 50 MB. */
const MOST_WORDS = 2 ** 16;

/** All that is done with the models of a setup; of what a thread of its own can be asked. */
export class ModelCalls {
  #model: VerifiedModel<EncodingModel> | EncodingModel | undefined;
  #pipeline: VerifiedModel<Tagger> | undefined;
  #beside: readonly VerifiedModel<Tagger>[] = [];
  #tagger: Tagger | undefined;
  #threads: EncodingThreads | undefined;

  constructor(private readonly setup: ModelSetup) {}

  /** Verifies every bundle of the setup and parses no weight. Throws as `verifyFittedBundle` does. */
  async verify(_input: undefined, context: TaskContext): Promise<ModelIdentities> {
    const { trust, embeddings: source, model, scheme, pipeline, backend } = this.setup;
    await useBackend(backend);
    const embeddings = await openEmbeddings(source, context);
    const opened =
      model === undefined
        ? undefined
        : await verifyEncodingModel(model, { ...trust, embeddings, scheme });
    this.#model = opened;
    if (pipeline !== undefined) {
      this.#pipeline = await verifyTaggingModel(pipeline, { ...trust, embeddings });
      this.#beside = await this.#verifyBeside(this.#pipeline, context);
    }
    return {
      model: opened && identityOf(opened),
      pipeline: this.#pipeline && {
        ...identityOf(this.#pipeline),
        types: this.#pipeline.scheme.types,
      },
      beside: this.#beside.map(identityOf),
    };
  }

  async #verifyBeside(
    first: VerifiedModel<Tagger>,
    context: TaskContext,
  ): Promise<VerifiedModel<Tagger>[]> {
    const verified: VerifiedModel<Tagger>[] = [];
    for (const { pipeline, trust, embeddings: source } of this.setup.beside ?? []) {
      const embeddings = await openEmbeddings(source, context);
      const other = await verifyTaggingModel(pipeline, { ...trust, embeddings });
      requireSameLabels(first, other, pipeline);
      verified.push(other);
    }
    return verified;
  }

  /** Loads the weights now, not with the first call that needs them. */
  async load(_input: undefined, _context: TaskContext): Promise<void> {
    if (this.#model) this.#encodingModel();
    if (this.#pipeline) this.#freshTagger();
  }

  async encode(
    { input, skipBad, home, options, reading }: EncodeCall,
    { signal, progress }: TaskContext,
  ): Promise<EncodeReport> {
    const source = typeof input === 'string' ? { corpus: input, skipBad } : input;
    // Where there is nothing to read, no home is made.
    const requireAnnotations = true;
    if (typeof input === 'string')
      await readCorpus(input, { requireAnnotations, skipBad, signal }).next();
    const model = this.#encodingModel();
    this.#threads ??= new EncodingThreads(model.representation);
    const threads = this.#threads;
    const reader = reading && this.#secondReader(reading, model.scheme, signal);
    return encode(source, model, home, { ...options, threads, reader, signal, progress });
  }

  deidentify(
    { document, how }: { document: Document; how: How<DeidentifyOptions> },
    { signal }: TaskContext,
  ): Promise<DeidentifiedDocument> {
    return deidentify(document, this.#freshTagger(), { ...how, signal });
  }

  analyze(
    { request, ...how }: { request: AnalyzeRequest } & How<AnalyzeOptions>,
    { signal }: TaskContext,
  ): Promise<RecognizerResult[] | RecognizerResult[][]> {
    const presidio = loadLabelScheme('presidio');
    return analyze(request, this.#freshTagger(), presidio, { ...how, signal });
  }

  operatingPoint(
    { dev, recall }: { dev: string; recall: number },
    { signal }: TaskContext,
  ): Promise<OperatingPoint> {
    const labelled = readCorpus(dev, { requireAnnotations: true, signal });
    return operatingPoint(labelled, this.#freshTagger(), recall, signal);
  }

  #secondReader(
    { treatment, threshold }: SecondReading,
    scheme: LabelScheme,
    signal: AbortSignal,
  ): SecondReader {
    requireReadable(this.#freshTagger().scheme.types, scheme);
    return {
      treatment,
      find: (text, sentences) =>
        findPhi(text, this.#freshTagger(), { threshold, sentences, signal }),
    };
  }

  #encodingModel(): EncodingModel {
    if (!this.#model) throw new TacetError('not-found', 'no representation was opened');
    if ('load' in this.#model) this.#model = this.#model.load();
    return this.#model;
  }

  /** The tagger, which forgets its words when they have become many; texts under way keep theirs. */
  #freshTagger(): Tagger {
    if (!this.#pipeline) throw new TacetError('not-found', 'no pipeline was opened');
    const tagger = this.#tagger ?? {
      ...this.#pipeline.load(),
      beside: this.#beside.map((model) => model.load()),
    };
    this.#tagger = { ...withFewWords(tagger), beside: tagger.beside?.map(withFewWords) };
    return this.#tagger;
  }
}

function withFewWords<R extends Reader>(reader: R): R {
  const { vocabulary } = reader;
  return vocabulary.size > MOST_WORDS ? { ...reader, vocabulary: vocabulary.fresh() } : reader;
}

/** Throws `model-unsuitable` where two pipelines decide among other labels. */
function requireSameLabels(
  first: VerifiedModel<Tagger>,
  other: VerifiedModel<Tagger>,
  where: string,
): void {
  if (first.scheme.labels.join() === other.scheme.labels.join()) return;
  throw new TacetError(
    'model-unsuitable',
    `${where}: it decides among the labels of ${other.scheme.name}, and ${first.name} among those of ` +
      `${first.scheme.name}; two decide together where they were trained with one label scheme`,
  );
}

function identityOf({ digest, name, version, keyIds }: SignedIdentity): SignedIdentity {
  return { digest, name, version, keyIds };
}
