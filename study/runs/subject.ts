import { chunks } from '../../models/attacks/chunks.js';
import { twinDistances } from '../../models/attacks/distances.js';
import { type PairTrial, pairTrials } from '../../models/attacks/likelihood/pair-trials.js';
import type { AuditTarget } from '../../models/attacks/target.js';
import { findCandidates } from '../../models/embeddings/candidates.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { mapTypes } from '../../models/evaluation/map-types.js';
import { Deidentifier } from '../../models/networks/deidentifier.js';
import type { DeidentifierConfig } from '../../models/networks/deidentifier-config.js';
import { Representation } from '../../models/networks/representation.js';
import type { RepresentationConfig } from '../../models/networks/representation-config.js';
import type { Tagger } from '../../models/networks/tagger.js';
import type { Origins } from '../../models/statistics/origins.js';
import { Random } from '../../models/tensor/random.js';
import { originsOf } from '../../models/text/corpus/kept-together.js';
import type { Document } from '../../models/text/document.js';
import { documentsDigest } from '../../models/text/documents-digest.js';
import type { LabelScheme } from '../../models/text/label-scheme.js';
import { languageOfCopies } from '../../models/training/configuration/language-of-copies.js';
import type { Corpus } from '../../models/training/corpus-statement.js';
import { type TextExample, textExamples } from '../../models/training/data/examples.js';
import { pairSource } from '../../models/training/data/pairs.js';
import { type PreparedNotes, phiWords, prepareNotes } from '../../models/training/recipes.js';
import type { StageContext } from '../../models/training/run/stage-context.js';
import type { TrainedNetworks } from '../../models/training/run/trained-networks.js';
import { trainingOrigins } from '../../models/training/training-origins.js';
import { TacetError } from '../../proto/errors.js';
import { type FinishedRun, networksOfRun } from './finished-run.js';
import { requireUnseen } from './unseen.js';

/** Notes and word vectors, read once for many runs. */
export interface Material extends Corpus {
  /** What the runs were trained on, their own validation part included. */
  readonly documents: readonly Document[];
  /** What nothing was trained on. */
  readonly heldOut: readonly Document[];
  readonly scheme: LabelScheme;
  readonly embeddings: Embeddings;
  /** For people: which embeddings to look for. */
  readonly embeddingsName: string;
}

export type Work = Pick<StageContext, 'signal' | 'progress'>;

/** Pairs on which attacks and bounds are measured, and Δ² of each, a value a draw. */
export interface MeasuredPairs {
  readonly trials: readonly PairTrial[];
  readonly distances: readonly Float32Array[];
  /** Of the pairs' documents. */
  readonly origins?: Origins | undefined;
}

/** Pairs without Δ², in batches of like length, and the draws of the input noise a pair. */
export interface HeldOutTrials {
  readonly batches: readonly PairTrial[][];
  readonly draws: number;
  /** Of the pairs' documents. */
  readonly origins?: Origins | undefined;
}

/** All runs are measured with the same pairs, noise and resamples. */
const SEED = 1;
/** Draws of the input noise a pair: for the bounds, and for pairs that were learned from. */
const DRAWS = 16;
const FEW_DRAWS = 4;
/** So many sentences that the adversary learned from are enough to measure it on. */
const LEARNED_PAIRS = 2000;

/** A finished run with its networks, and the notes as it saw them. */
export class Subject {
  readonly deidentifier: Deidentifier;
  readonly representation: Representation | undefined;
  #target: Promise<AuditTarget> | undefined;
  #heldOutPairs: Promise<MeasuredPairs> | undefined;

  private constructor(
    readonly run: FinishedRun,
    readonly networks: TrainedNetworks,
    readonly notes: PreparedNotes,
    readonly scheme: LabelScheme,
    readonly heldOut: readonly Document[],
    readonly embeddingsName: string,
  ) {
    const { configs, weights } = networks;
    const deidentifier = configs.deidentifier as unknown as DeidentifierConfig;
    this.deidentifier = Deidentifier.fromWeights(deidentifier, weights.deidentifier);
    const representation = configs.representation as unknown as RepresentationConfig | undefined;
    this.representation =
      representation && Representation.fromWeights(representation, weights.representation);
  }

  /** Throws `checkpoint-invalid` where the run was trained on other material, `corpus-invalid` where it has seen a held-out document. */
  static async open(run: FinishedRun, material: Material): Promise<Subject> {
    requireMaterial(run, material);
    const { heldOut, scheme, embeddingsName } = material;
    const random = new Random(run.config.seed);
    const notes = await prepareNotes(material, run.config, { random });
    const mapped = heldOut.map((document) => mapTypes(document, scheme));
    return new Subject(run, await networksOfRun(run), notes, scheme, mapped, embeddingsName);
  }

  /** The run's own de-identifier; noise off, since what it reads never leaves. */
  get tagger(): Tagger {
    const { deidentifier, representation, scheme } = this;
    const tagger = { deidentifier, vocabulary: this.notes.vocabulary, scheme };
    return representation ? { ...tagger, representation } : tagger;
  }

  /** Attackers learn from what the run was trained on, stop by its validation part, and are measured on held-out documents. */
  target(work: Work): Promise<AuditTarget> {
    this.#target ??= this.#findTarget(work);
    return this.#target;
  }

  /** A pair of each held-out sentence that can make one. */
  heldOutPairs(work: Work): Promise<MeasuredPairs> {
    this.#heldOutPairs ??= this.target(work).then(async (target) => ({
      ...(await pairsOf(target, target.test, 'held-out', DRAWS, work)),
      origins: target.origins,
    }));
    return this.#heldOutPairs;
  }

  /** Whether any of them can make one. */
  async hasHeldOutPairs(work: Work): Promise<boolean> {
    const { test, candidates } = await this.target(work);
    return pairSource(test, candidates).positions.size > 0;
  }

  /** The same pairs where nothing has a Δ². */
  async heldOutTrials(work: Work): Promise<HeldOutTrials> {
    const target = await this.target(work);
    const trials = trialsOf(target, target.test, 'held-out');
    const sorted = trials.sort((a, b) => a.example.ids.length - b.example.ids.length);
    return { batches: chunks(sorted), draws: DRAWS, origins: target.origins };
  }

  /** Pairs of sentences that attackers learn from. */
  async learnedPairs(work: Work): Promise<MeasuredPairs> {
    const target = await this.target(work);
    return {
      ...(await pairsOf(target, target.train, 'learned', FEW_DRAWS, work, LEARNED_PAIRS)),
      origins: trainingOrigins(this.notes),
    };
  }

  /** The randomness of one measurement. */
  random(measurement: string): Random {
    return measuring(measurement);
  }

  dispose(): void {
    this.deidentifier.dispose();
    this.representation?.dispose();
  }

  async #findTarget({ signal, progress }: Work): Promise<AuditTarget> {
    const { scheme, run, notes } = this;
    const representation = requireRepresentation(this);
    const { vocabulary, train, validation } = notes;
    const test = textExamples(this.heldOut, scheme, vocabulary);
    const words = phiWords(train, validation, test);
    const { neighbours, digitMoves } = run.config;
    const candidates = await findCandidates(vocabulary, words, neighbours, {
      ...{ digitMoves, signal, progress },
    });
    const { labels } = scheme;
    const origins = originsOf(this.heldOut);
    return { representation, vocabulary, candidates, labels, train, validation, test, origins };
  }
}

/** Throws `internal` where the run has trained none. */
export function requireRepresentation({ representation, run }: Subject): Representation {
  if (representation) return representation;
  throw new TacetError('internal', `${run.directory}: the kind ${run.kind} has no representation`);
}

async function pairsOf(
  target: AuditTarget,
  examples: readonly TextExample[],
  name: string,
  draws: number,
  work: Work,
  most = Number.POSITIVE_INFINITY,
): Promise<MeasuredPairs> {
  const trials = trialsOf(target, examples, name).slice(0, most);
  const twins = trials.map(({ example, twin }) => ({ ids: example.ids, twin }));
  const random = measuring(`pairs/${name}`).fork('distances');
  return { trials, distances: await twinDistances(target, twins, draws, random, work) };
}

function trialsOf(target: AuditTarget, examples: readonly TextExample[], name: string) {
  return pairTrials(target, examples, 1, measuring(`pairs/${name}`).fork('trials'));
}

function measuring(measurement: string): Random {
  return new Random(SEED).fork(`measure/${measurement}`);
}

function requireMaterial(run: FinishedRun, material: Material): void {
  const { documents, heldOut, scheme, embeddings } = material;
  const found = {
    scheme: scheme.digest,
    embeddings: embeddings.identity,
    corpus: documentsDigest(documents),
  };
  const language = languageOfCopies(material, run.config);
  const known = { ...found, ...(run.language !== undefined && { language }) };
  for (const [what, value] of Object.entries(known)) {
    if (run[what as keyof typeof known] === value) continue;
    throw new TacetError(
      'checkpoint-invalid',
      `${run.directory} was trained with another ${what}; measure it with the one of its training`,
    );
  }
  requireUnseen(documents, heldOut);
}
