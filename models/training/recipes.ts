import { findCandidates } from '../embeddings/candidates.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import { Vocabulary } from '../embeddings/vocabulary.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { trainCertified } from './certified.js';
import type { TrainingConfig } from './config.js';
import { type DannResult, trainDann } from './dann.js';
import { type TextExample, textExamples, type VectorExample } from './examples.js';
import { isPhi } from './move.js';
import { type Pseudonymised, pseudonymise } from './pseudonymisation.js';
import { splitOff } from './split.js';
import type { StageContext, StageResult } from './stage.js';
import { type SupervisedResult, trainOnText, trainOnVectors } from './supervised.js';
import {
  type ThreePhaseData,
  type ThreePhaseNetworks,
  type ThreePhaseResult,
  trainAdversary,
  trainThreePhase,
} from './three-phase.js';

/** Labelled notes, ready to train on: split by document, words looked up. */
export interface PreparedNotes {
  readonly vocabulary: Vocabulary;
  readonly train: TextExample[];
  readonly validation: TextExample[];
  readonly documents: { readonly train: number; readonly validation: number };
}

/** Splits notes by document and looks their words up. */
export function prepareNotes(
  notes: readonly Document[],
  scheme: LabelScheme,
  embeddings: Embeddings,
  config: TrainingConfig,
  context: StageContext,
): PreparedNotes {
  const vocabulary = new Vocabulary(embeddings);
  const split = splitOff(notes, config.validationShare, context.random.fork('split'));
  return {
    vocabulary,
    train: textExamples(split.train, scheme, vocabulary),
    validation: textExamples(split.validation, scheme, vocabulary),
    documents: { train: split.train.length, validation: split.validation.length },
  };
}

/** The vocabulary ids that occur as PHI. */
export function phiWords(...groups: readonly (readonly TextExample[])[]): Set<number> {
  const words = new Set<number>();
  for (const example of groups.flat()) {
    example.ids.forEach((id, position) => {
      if (isPhi(example, position)) words.add(id);
    });
  }
  return words;
}

/** The non-private model: trained on the notes as they are. */
export async function trainRaw(
  { train, validation, vocabulary }: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const labels = scheme.labels.length;
  return trainOnText({ train, validation }, vocabulary, labels, config, context);
}

/** The pseudonymisation baseline: train and validation notes alike have their PHI moved. */
export async function trainPseudonymised(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<SupervisedResult & { readonly moved: Omit<Pseudonymised, 'examples'> }> {
  const { vocabulary } = notes;
  const words = phiWords(notes.train, notes.validation);
  const candidates = await findCandidates(vocabulary, words, config.neighbours, context);
  const random = context.random.fork('pseudonymise');
  const train = pseudonymise(notes.train, candidates, random);
  const validation = pseudonymise(notes.validation, candidates, random);
  const split = { train: train.examples, validation: validation.examples };
  const labels = scheme.labels.length;
  const result = await trainOnText(split, vocabulary, labels, config, context);
  const { phiTokens, immovable } = train;
  return { ...result, moved: { phiTokens, immovable } };
}

/** The private representation, by three-phase adversarial training. */
export async function trainAdversarial(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<ThreePhaseResult> {
  return trainThreePhase(await privateData(notes, scheme, config, context), config, context);
}

/** The private representation, by gradient reversal. */
export async function trainByGradientReversal(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<DannResult> {
  return trainDann(await privateData(notes, scheme, config, context), config, context);
}

export interface CertifiedResult extends ThreePhaseNetworks {
  readonly stages: Readonly<Record<string, StageResult>>;
}

/**
 * The private representation, by three-phase training and then the certified objective; last the
 * adversary learns on against what came of it. Phases whose `maxEpochs` is 0 are left out.
 */
export async function trainAdversarialThenCertified(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<CertifiedResult> {
  const data = await privateData(notes, scheme, config, context);
  const { stages, ...networks } = await trainThreePhase(data, config, context);
  const certified = await trainCertified(networks, data, config, context);
  const adversary = await trainAdversary('adversary', networks, data, config, context);
  return { ...networks, stages: { ...stages, certified, adversary } };
}

async function privateData(
  { train, validation, vocabulary }: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<ThreePhaseData> {
  const words = phiWords(train, validation);
  const candidates = await findCandidates(vocabulary, words, config.neighbours, context);
  return { train, validation, vocabulary, candidates, labels: scheme.labels.length };
}

/**
 * The pooled model, on released vectors [T·d] alone. The pool does not know which sentences come
 * from one document, so its validation part is drawn by sentence.
 */
export async function trainPooled(
  examples: readonly VectorExample[],
  dimension: number,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const split = splitOff(examples, config.validationShare, context.random.fork('split'));
  return trainOnVectors(split, dimension, scheme.labels.length, config, context);
}
