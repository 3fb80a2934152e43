import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../models/embeddings/vocabulary.js';
import { flatWeights, loadFlat } from '../../models/federation/flat-weights.js';
import { LocalTraining, NEURONER_TRAINING } from '../../models/federation/local-training.js';
import { NEURONER_DEFAULTS, NeuronerTagger } from '../../models/networks/neuroner-tagger.js';
import type { Representation } from '../../models/networks/representation.js';
import { tag } from '../../models/networks/tagger.js';
import { textsOf } from '../../models/networks/text-network.js';
import { vocabularyFor } from '../../models/networks/vocabulary-for.js';
import type { Random } from '../../models/tensor/random.js';
import type { Document, Span } from '../../models/text/document.js';
import { decodeLabels } from '../../models/text/iob2.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import type { PartialConfig, TrainingConfig } from '../../models/training/configuration/config.js';
import { textExamples } from '../../models/training/data/examples.js';
import { trainOnText } from '../../models/training/supervised.js';
import { onReleases } from '../measures/learn-on-releases.js';
import { tokenScore } from '../measures/token-score.js';
import type { Work } from '../runs/subject.js';

/** Documents with the types of the scheme; of `augmented` only the sentences are learned from that are kept. */
export interface PhiconNotes {
  readonly train: readonly Document[];
  readonly augmented: readonly Document[];
  readonly validation: readonly Document[];
}

export interface PhiconSetting {
  readonly embeddings: Embeddings;
  readonly scheme: LabelScheme;
  readonly config: TrainingConfig;
  readonly keep: (sentence: { readonly labels: Uint8Array }) => boolean;
  /** Of `released`: what encodes, and a file that holds the releases while they are learned from. */
  readonly releases?:
    | { readonly representation: Representation; readonly file: string }
    | undefined;
}

/** A tagger that has learned. */
export interface LearnedTagger {
  readonly sentences: number;
  readonly augmented: number;
  readonly epochs: number;
  readonly bestEpoch: number;
  tag(document: Document): Span[];
  dispose(): void;
}

type Learn = (
  notes: PhiconNotes,
  setting: PhiconSetting,
  work: Work & { readonly random: Random },
) => Promise<LearnedTagger>;

export type PhiconTagger = 'ours' | 'released' | 'neuroner';

/** How long a tagger is trained where a configuration says nothing else; NeuroNER's own, 100 epochs and a patience of 10. */
export const PHICON_USUAL: Readonly<Record<PhiconTagger, PartialConfig>> = {
  ours: {},
  released: {},
  neuroner: { supervised: { maxEpochs: 100, patience: 10 } },
};

/**
 * The de-identifier of `tacet train raw`, the same on one release of each sentence by a frozen representation, notes'
 * own or augmented, and NeuroNER's tagger, which stops by token F1 on validation notes.
 */
export const PHICON_TAGGERS: Readonly<Record<PhiconTagger, Learn>> = {
  ours: learnOurs,
  released: learnOurs,
  neuroner: learnNeuroner,
};

async function learnOurs(
  { train, augmented, validation }: PhiconNotes,
  { embeddings, scheme, config, keep, releases }: PhiconSetting,
  work: Work & { readonly random: Random },
): Promise<LearnedTagger> {
  const representation = releases?.representation;
  const vocabulary = vocabularyFor(embeddings, config.deidentifier, representation?.config);
  const own = textExamples(train, scheme, vocabulary);
  const more = textExamples(augmented, scheme, vocabulary).filter(keep);
  const parts = {
    train: [...own, ...more],
    validation: textExamples(validation, scheme, vocabulary),
  };
  const labels = scheme.labels.length;
  const { deidentifier, stage } = await (releases
    ? onReleases(releases.representation)(
        ...([parts, vocabulary, labels, { ...config, file: releases.file }, work] as const),
      )
    : trainOnText(parts, vocabulary, labels, config, work));
  const { epochs, bestEpoch } = stage;
  const tagger = { deidentifier, vocabulary, scheme, ...(representation && { representation }) };
  return {
    ...{ sentences: own.length, augmented: more.length, epochs, bestEpoch },
    tag: ({ text, sentences }) => tag(text, tagger, { sentences }),
    dispose: () => deidentifier.dispose(),
  };
}

async function learnNeuroner(
  { train, augmented, validation }: PhiconNotes,
  { embeddings, scheme, config, keep }: PhiconSetting,
  { random, signal }: Work & { readonly random: Random },
): Promise<LearnedTagger> {
  const { network, training, ...counts } = neuronerTraining(
    { train, augmented },
    { embeddings, scheme, keep },
    random.fork('initialise'),
  );
  const held = textsOf(validation, scheme)
    .filter((text) => text.length > 0)
    .map((text) => network.read(text));
  const { maxEpochs, patience } = config.supervised;
  let best = { epoch: 0, f1: -1, weights: flatWeights(network.parameters) };
  let epoch = 0;
  while (epoch < maxEpochs && epoch - best.epoch < patience) {
    epoch++;
    await training.epoch(random.fork(`epoch ${epoch}`), signal);
    const { f1 } = tokenScore(held);
    if (f1 > best.f1) best = { epoch, f1, weights: flatWeights(network.parameters) };
  }
  loadFlat(network.parameters, best.weights);
  return {
    ...{ ...counts, epochs: epoch, bestEpoch: best.epoch },
    tag(document) {
      const sentences = (textsOf([document], scheme)[0] ?? []).filter(
        ({ tokens }) => tokens.length > 0,
      );
      if (sentences.length === 0) return [];
      const labels = network.read(sentences).decode();
      let from = 0;
      return sentences.flatMap(({ tokens }) => {
        const to = from + tokens.length;
        const spans = decodeLabels(tokens, labels.subarray(from, to), scheme);
        from = to;
        return spans;
      });
    },
    dispose: () => network.dispose(),
  };
}

/**
 * NeuroNER's tagger as it is trained there (Dernoncourt et al. 2017): a step a sentence, and the vectors of all
 * words of the notes trained from where they are.
 */
export function neuronerTraining(
  { train, augmented }: Omit<PhiconNotes, 'validation'>,
  { embeddings, scheme, keep }: Omit<PhiconSetting, 'config'>,
  random: Random,
): {
  readonly network: NeuronerTagger;
  readonly training: LocalTraining;
  readonly sentences: number;
  readonly augmented: number;
} {
  const vocabulary = new Vocabulary(embeddings);
  const own = textsOf(train, scheme).flat();
  const more = textsOf(augmented, scheme).flat().filter(keep);
  const sentences = [...own, ...more].filter(({ tokens }) => tokens.length > 0);
  const words = sentences.flatMap(({ tokens }) => tokens.map(({ text }) => vocabulary.idOf(text)));
  const sizes = { dimension: vocabulary.dimension, labels: scheme.labels.length };
  const config = { ...NEURONER_DEFAULTS, ...sizes };
  const network = new NeuronerTagger(config, vocabulary, random, words);
  const texts = sentences.map((sentence) => network.read([sentence]));
  const training = new LocalTraining(network, texts, NEURONER_TRAINING);
  return { network, training, sentences: own.length, augmented: more.length };
}
