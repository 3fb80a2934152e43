import { holdsPhi } from '../augmentation/context.js';
import { phiconCopies } from '../augmentation/phicon.js';
import { isPhi } from '../certification/move.js';
import { type Candidates, findCandidates } from '../embeddings/candidates.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import { vocabularyFor } from '../networks/vocabulary-for.js';
import type { Estimate } from '../statistics/estimate.js';
import type { Random } from '../tensor/random.js';
import { originsOf } from '../text/corpus/kept-together.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { trainCertified } from './certified.js';
import type { TrainingConfig } from './configuration/config.js';
import { type DannResult, trainDann } from './dann.js';
import { tokensOf } from './data/batch.js';
import { type TextExample, textExamples } from './data/examples.js';
import { pairSource } from './data/pairs.js';
import { type RunStatistics, runStatistics } from './data/phi-statistics.js';
import {
  pseudonymise,
  pseudonymiseByDocument,
  withPseudonymised,
} from './data/pseudonymisation.js';
import { splitDocuments } from './data/split.js';
import { examplesOfEpoch, mapTurns, type Turns, turnsOf } from './data/turns.js';
import type { UnlabelledText } from './data/unlabelled.js';
import { createGeneralTask } from './general/general-task.js';
import { type NotesToCopy, replacedCopies } from './replaced-copies.js';
import type { StageResult } from './run/stage.js';
import type { StageContext } from './run/stage-context.js';
import { type SupervisedResult, trainOnText } from './supervised.js';
import {
  type ThreePhaseResult,
  trainAdversary,
  trainPhase1,
  trainThreePhase,
} from './three-phase.js';
import type { ThreePhaseData, ThreePhaseNetworks } from './three-phase-data.js';
import { unequalNoiseLimit } from './unequal-noise-limit.js';

/** Labelled notes, ready to train on: split by document, words looked up. */
export interface PreparedNotes {
  readonly vocabulary: Vocabulary;
  readonly train: TextExample[];
  /** Which of `train` an epoch has, where more copies were drawn than it has. */
  readonly turns?: Turns | undefined;
  readonly validation: TextExample[];
  readonly documents: { readonly train: number; readonly validation: number };
  /** The documents of `train`, as they were given; whole copies of them follow in its numbers. */
  readonly trainDocuments: readonly Document[];
  /** The documents of `validation`, as they were given. */
  readonly validationDocuments: readonly Document[];
  /** Of the same vocabulary. */
  readonly unlabelled?: UnlabelledText | undefined;
}

/** What is trained on. */
export interface NotesToPrepare extends NotesToCopy {
  readonly embeddings: Embeddings;
}

/**
 * Splits notes by document or template, puts copies beside those for training whose entities are replaced, as many
 * as the configuration says, and sentences of PHICON's augmentation, and looks words up.
 */
export async function prepareNotes(
  notes: NotesToPrepare,
  config: TrainingConfig,
  context: Pick<StageContext, 'random' | 'signal'>,
): Promise<PreparedNotes> {
  const { documents, scheme, embeddings } = notes;
  const vocabulary = vocabularyFor(embeddings, config.representation, config.deidentifier);
  const split = splitDocuments(documents, config.validationShare, context.random.fork('split'));
  const toCopy = { ...notes, documents: split.train };
  const drawn = await replacedCopies(toCopy, config, context.random.fork('replaced copies'));
  const draws = context.random.fork('phicon');
  const copies = await phiconCopies(toCopy, config.augmentation, draws, context.signal);
  const whole = [...split.train, ...drawn.flat()];
  const examples = textExamples([...whole, ...copies.flat()], scheme, vocabulary);
  const learned = examples.filter(({ documentIndex }) => documentIndex < whole.length);
  const augmented = examples.filter(
    (example) => example.documentIndex >= whole.length && holdsPhi(example),
  );
  const train = [...learned, ...augmented];
  const { replaced: perEpoch } = config.augmentation;
  const inTurn = drawn.length > perEpoch && turnsOf(learned, split.train.length, perEpoch);
  const turns = inTurn && { ...inTurn, originals: [...inTurn.originals, ...augmented] };
  return {
    vocabulary,
    ...{ train, ...(turns && { turns }) },
    validation: textExamples(split.validation, scheme, vocabulary),
    documents: { train: split.train.length, validation: split.validation.length },
    trainDocuments: split.train,
    validationDocuments: split.validation,
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
  { train, turns, validation, vocabulary }: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<SupervisedResult> {
  const labels = scheme.labels.length;
  return trainOnText({ train, turns, validation }, vocabulary, labels, config, context);
}

/** A result and what `move` could do on the notes that it comes from. */
type Counted<R> = R & { readonly statistics: RunStatistics };

/** A result that has a representation, with the limit of any adversary where no audit can state it. */
type Private<R extends ThreePhaseNetworks> = Counted<R> & { readonly limit?: Estimate };

/** The pseudonymisation baseline: train and validation notes alike have their PHI moved. */
export async function trainPseudonymised(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<Counted<SupervisedResult>> {
  const { candidates, statistics } = await movableNotes(notes, config, context);
  const random = context.random.fork('pseudonymise');
  const pseudonymised = (examples: readonly TextExample[]) =>
    config.pseudonymsBy === 'document'
      ? pseudonymiseByDocument(examples, candidates, notes.vocabulary, random)
      : pseudonymise(examples, candidates, random);
  const learned = notes.turns
    ? { train: notes.train, turns: mapTurns(notes.turns, pseudonymised) }
    : { train: pseudonymised(notes.train) };
  const split = { ...learned, validation: pseudonymised(notes.validation) };
  const labels = scheme.labels.length;
  return { ...(await trainOnText(split, notes.vocabulary, labels, config, context)), statistics };
}

/**
 * The non-private model on the notes and pseudonymised copies of them, fresh ones in each epoch;
 * stopped by notes as they are.
 */
export async function trainAugmented(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<Counted<SupervisedResult>> {
  const { train, validation, vocabulary } = notes;
  const { copies } = config.augmentation;
  const { candidates, statistics } = await movableNotes(notes, config, context);
  const augmented = {
    tokens: (1 + copies) * tokensOf(examplesOfEpoch(notes, 1)),
    examples: (random: Random, epoch: number) =>
      withPseudonymised(examplesOfEpoch(notes, epoch), copies, candidates, random),
  };
  const split = { train, validation, augmented };
  const labels = scheme.labels.length;
  return { ...(await trainOnText(split, vocabulary, labels, config, context)), statistics };
}

/** How a representation is trained on notes that are ready for it. */
type PrivateTraining<R extends ThreePhaseNetworks> = (
  data: ThreePhaseData,
  config: TrainingConfig,
  context: StageContext,
) => Promise<R>;

type PrivateRecipe<R extends ThreePhaseNetworks> = (
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
) => Promise<Private<R>>;

/** The private representation, by three-phase adversarial training. */
export const trainAdversarial: PrivateRecipe<ThreePhaseResult> = onNotes(trainThreePhase);

/** The private representation, by gradient reversal. */
export const trainByGradientReversal: PrivateRecipe<DannResult> = onNotes(trainDann);

export interface CertifiedResult extends ThreePhaseNetworks {
  readonly stages: Readonly<Record<string, StageResult>>;
}

/**
 * The private representation, by the certified objective, from the weights of P1 or of all three
 * phases; last the adversary learns against what came of it. Phases whose `maxEpochs` is 0 are left
 * out, so that without P1 the networks start fresh.
 */
export const trainCertifiedRepresentation: PrivateRecipe<CertifiedResult> = onNotes(
  async (data, config, context) => {
    const before = config.certified.after === 'P3' ? trainThreePhase : trainPhase1;
    const { stages, ...networks } = await before(data, config, context);
    const certified = await trainCertified(networks, data, config, context);
    const adversary = await trainAdversary('adversary', networks, data, config, context);
    return { ...networks, stages: { ...stages, certified, adversary } };
  },
);

function onNotes<R extends ThreePhaseNetworks>(training: PrivateTraining<R>): PrivateRecipe<R> {
  return async (notes, scheme, config, context) => {
    const { data, statistics } = await privateData(notes, scheme, config, context);
    const result = await training(data, config, context);
    data.general?.heads.dispose();
    return { ...result, statistics, ...limitOf(result, data, notes, context) };
  };
}

/** Noise that depends on the input cannot be published and audited: its limit is by these notes. */
function limitOf(
  { representation }: ThreePhaseNetworks,
  { validation, vocabulary, candidates }: ThreePhaseData,
  { validationDocuments }: PreparedNotes,
  { random }: StageContext,
): { limit?: Estimate } {
  if (representation.config.noise !== 'dependent') return {};
  const source = pairSource(validation, candidates);
  const origins = originsOf(validationDocuments);
  const drawn = random.fork('limit');
  return { limit: unequalNoiseLimit(representation, vocabulary, source, drawn, origins) };
}

async function privateData(
  notes: PreparedNotes,
  scheme: LabelScheme,
  config: TrainingConfig,
  context: StageContext,
): Promise<{ data: ThreePhaseData; statistics: RunStatistics }> {
  const { candidates, statistics } = await movableNotes(notes, config, context);
  const general = createGeneralTask({ ...notes, candidates }, config, context);
  return { data: { ...notes, candidates, labels: scheme.labels.length, general }, statistics };
}

/** What the PHI words may become; how many may become nothing else is written into the run. */
async function movableNotes(
  notes: PreparedNotes,
  { neighbours, digitMoves }: TrainingConfig,
  context: StageContext,
): Promise<{ candidates: Candidates; statistics: RunStatistics }> {
  const { train, validation, vocabulary } = notes;
  const words = phiWords(train, validation);
  const candidates = await findCandidates(vocabulary, words, neighbours, {
    ...{ digitMoves, signal: context.signal, progress: context.progress },
  });
  const statistics = runStatistics(notes, words, candidates, vocabulary);
  await context.run?.describe('statistics.json', statistics);
  return { candidates, statistics };
}
