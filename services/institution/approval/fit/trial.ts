import { evaluateTagger } from '../../../../models/evaluation/evaluate-tagger.js';
import { release } from '../../../../models/networks/release.js';
import type { Tagger } from '../../../../models/networks/tagger.js';
import { vocabularyFor } from '../../../../models/networks/vocabulary-for.js';
import type { Interval } from '../../../../models/statistics/bootstrap.js';
import type { Inventory } from '../../../../models/surrogates/inventory.js';
import { replaceEntities } from '../../../../models/surrogates/replacement.js';
import { Random } from '../../../../models/tensor/random.js';
import { keptTogether } from '../../../../models/text/corpus/kept-together.js';
import { byOrigin } from '../../../../models/text/corpus/template-id.js';
import type { Document } from '../../../../models/text/document.js';
import { TRAINING_DEFAULTS } from '../../../../models/training/configuration/config.js';
import { type TextExample, textExamples } from '../../../../models/training/data/examples.js';
import { splitDocuments } from '../../../../models/training/data/split.js';
import type { StageContext } from '../../../../models/training/run/stage-context.js';
import { inMemory, trainOnText, trainOnVectors } from '../../../../models/training/supervised.js';
import { TacetError } from '../../../../proto/errors.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';

/** Token F1 and recall, PHI or not, with the 95 % interval of F1 over documents, where there are enough for one. */
export interface TrialScore {
  readonly f1: number;
  readonly interval: Interval | undefined;
  readonly recall: number;
}

/** De-identifiers that learned from the same notes, on notes of the same house that neither saw. */
export interface Trial {
  readonly learned: number;
  readonly measured: number;
  /** Of those measured on; notes of one origin count as one. */
  readonly origins: number;
  /** From the text as it stands. */
  readonly text: TrialScore;
  /** From releases, as a pool would have them. */
  readonly released: TrialScore;
}

export interface TrialOptions extends Pick<StageContext, 'signal' | 'progress'> {
  /** What entities are replaced by before they are encoded; kept where it is left out. */
  readonly inventory?: Inventory | undefined;
}

/** Fewer say nothing of what others are like. */
const LEAST_NOTES = 12;
/** Some to learn from, some to stop by, some to be measured on. */
const LEAST_ORIGINS = 3;
const MEASURED_SHARE = 0.25;
const SEED = 1;
const CONFIG = { ...TRAINING_DEFAULTS, supervised: { maxEpochs: 30, patience: 4 } };

/**
 * What the representation costs on these notes: a de-identifier that learns from their text beside one
 * that learns from one release of each sentence, both measured on a quarter of the notes. The releases
 * stay in memory and none is counted, since none leaves. Throws `documents-too-few`.
 */
export async function tryNotes(
  model: EncodingModel,
  documents: readonly Document[],
  { inventory, ...work }: TrialOptions,
): Promise<Trial> {
  const origins = keptTogether(documents).length;
  if (documents.length < LEAST_NOTES || origins < LEAST_ORIGINS)
    throw new TacetError(
      'documents-too-few',
      `a trial needs ${LEAST_NOTES} notes at least, of ${LEAST_ORIGINS} origins or more, to learn from some and be ` +
        `measured on others; found ${documents.length} of ${origins}, where copies of a note, the notes of a patient and a ` +
        "template's sentences are of one",
    );
  const random = new Random(SEED).fork('trial');
  const { train: own, validation: measured } = splitDocuments(documents, MEASURED_SHARE, random);
  const { train, validation } = splitDocuments(own, CONFIG.validationShare, random);
  const context = (name: string) => ({ ...work, random: random.fork(name) });
  const { scheme } = model;
  const labels = scheme.labels.length;
  const score = (tagger: Tagger) => scoreOf(tagger, measured, work);

  const vocabulary = vocabularyFor(model.vocabulary.embeddings, CONFIG.deidentifier);
  const onText = await trainOnText(
    {
      train: textExamples(train, scheme, vocabulary),
      validation: textExamples(validation, scheme, vocabulary),
    },
    vocabulary,
    labels,
    CONFIG,
    context('text'),
  );
  const text = await score({ deidentifier: onText.deidentifier, vocabulary, scheme });
  onText.deidentifier.dispose();

  const draws = random.fork('surrogates');
  const releasedOf = (part: readonly Document[]) =>
    released(
      textExamples(
        inventory ? part.map((each) => replaceEntities(each, scheme, inventory, draws)) : part,
        scheme,
        model.vocabulary,
      ),
      model,
    );
  const supply = inMemory(
    { train: releasedOf(train), validation: releasedOf(validation) },
    CONFIG.batchSentences,
  );
  const { dimension } = model.representation.config;
  const onReleases = await trainOnVectors(supply, dimension, labels, CONFIG, context('released'));
  const { deidentifier } = onReleases;
  const { representation, vocabulary: words } = model;
  const found = await score({ deidentifier, vocabulary: words, scheme, representation });
  deidentifier.dispose();
  return {
    ...{ learned: own.length, measured: measured.length, origins: byOrigin(measured).length },
    ...{ text, released: found },
  };
}

function released(examples: readonly TextExample[], { representation, vocabulary }: EncodingModel) {
  const sentences = examples.map(({ ids }) => ids);
  const vectors = release(representation, vocabulary, sentences);
  return examples.map(({ labels }, i) => ({ labels, vectors: vectors[i] }));
}

async function scoreOf(
  tagger: Tagger,
  documents: readonly Document[],
  work: Pick<StageContext, 'signal' | 'progress'>,
): Promise<TrialScore> {
  const { token, headlineIntervals } = await evaluateTagger(tagger, documents, {
    seed: SEED,
    ...work,
  });
  const { f1, recall } = token.binary;
  return { f1, recall, interval: headlineIntervals['token.binary.f1'] };
}
