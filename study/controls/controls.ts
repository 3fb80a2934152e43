/** The preliminary experiments and the discussion of Friedrich et al. 2019, measured: sections 5.2, 5.3 and 9. */
import { type Candidates, findCandidates } from '../../models/embeddings/candidates.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import { Random } from '../../models/tensor/random.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import { type TextExample, textExamples } from '../../models/training/data/examples.js';
import { type RunStatistics, runStatistics } from '../../models/training/data/phi-statistics.js';
import { type PreparedNotes, phiWords, prepareNotes } from '../../models/training/recipes.js';
import { trainingOrigins } from '../../models/training/training-origins.js';
import type { Material, Work } from '../runs/subject.js';
import { requireUnseen } from '../runs/unseen.js';
import { type AdversaryControl, adversaryControls } from './adversary-controls.js';
import { type FixedNoiseResult, fixedNoise } from './fixed-noise.js';
import { type JoinedDocuments, joinedDocuments } from './joined-documents.js';

export const CONTROLS = ['neighbours', 'joining', 'noise', 'adversaries'] as const;
export type Control = (typeof CONTROLS)[number];

export interface ControlOptions {
  readonly config: TrainingConfig;
  /** Of the noise, in units of the matrix's own standard deviation. */
  readonly factors: readonly number[];
  /** PHI words whose noisy vectors are looked up. */
  readonly words: number;
  /** Epochs of each adversary at most. */
  readonly epochs: number;
}

export interface ControlResults {
  readonly neighbours: RunStatistics['lists'] & { readonly N: number };
  readonly joining: readonly JoinedDocuments[];
  readonly noise: readonly FixedNoiseResult[];
  readonly adversaries: readonly AdversaryControl[];
}

/** Training notes, held-out notes and what their PHI words may become. */
export interface ControlNotes {
  readonly notes: PreparedNotes;
  readonly test: readonly TextExample[];
  readonly candidates: Candidates;
}

/** Throws `corpus-invalid` where a held-out document is one of those that are learned from. */
export async function prepareControls(
  material: Material,
  config: TrainingConfig,
  work: Work,
): Promise<ControlNotes> {
  requireUnseen(material.documents, material.heldOut);
  const random = new Random(config.seed);
  const notes = await prepareNotes(material, config, { ...work, random });
  const mapped = material.heldOut.map((document) => mapTypes(document, material.scheme));
  const test = textExamples(mapped, material.scheme, notes.vocabulary);
  const words = phiWords(notes.train, notes.validation, test);
  const { digitMoves, neighbours } = config;
  const moves = { ...work, digitMoves };
  const candidates = await findCandidates(notes.vocabulary, words, neighbours, moves);
  return { notes, test, candidates };
}

/** One of the controls. The configuration's seed draws all of it. */
export async function measureControl<C extends Control>(
  control: C,
  { notes, test, candidates }: ControlNotes,
  material: Material,
  options: ControlOptions,
  work: Work,
): Promise<ControlResults[C]> {
  const { config, epochs } = options;
  const random = new Random(config.seed).fork(`control/${control}`);
  const { vocabulary, train, validation } = notes;
  const measure: { readonly [K in Control]: () => Promise<ControlResults[K]> } = {
    neighbours: async () => {
      const words = phiWords(train, validation);
      const { lists, neighbours: N } = runStatistics(notes, words, candidates, vocabulary);
      return { N, ...lists };
    },
    joining: async () =>
      joinedDocuments(
        {
          ...{ shared: train, origins: trainingOrigins(notes), own: test },
          ...{ vocabulary, candidates },
        },
        random,
      ),
    noise: () => collected(fixedNoise(notes, material, options, random, work)),
    adversaries: () => {
      const { labels } = material.scheme;
      const target = { vocabulary, candidates, labels, train, validation, test };
      const { learningRate } = config.learner;
      const limits = { maxEpochs: epochs, patience: epochs, learningRate };
      const adversary = { units: config.adversary.units, limits };
      return collected(adversaryControls(target, adversary, random, work));
    },
  };
  return measure[control]();
}

async function collected<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of results) all.push(each);
  return all;
}
