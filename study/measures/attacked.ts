import {
  type Attack,
  type AttackContext,
  type AttackReport,
  conduct,
} from '../../models/attacks/attack.js';
import { type CertifiedBoundReport, certifiedBound } from '../../models/attacks/certified-bound.js';
import { type EntityBoundReport, entityBound } from '../../models/attacks/entity-bound.js';
import { continuedAdversary } from '../../models/attacks/learned/continued-adversary.js';
import { knownNoise } from '../../models/attacks/likelihood/known-noise.js';
import type { NamedArrays } from '../../models/networks/named-arrays.js';
import { RunDirectory } from '../../models/training/run/run-directory.js';
import { asMeasured } from '../runs/measured.js';
import type {
  AttackResult,
  Bound,
  Bounds,
  ContinuedAdversary,
  KnownNoise,
} from '../runs/measurements.js';
import {
  type MeasuredPairs,
  requireRepresentation,
  type Subject,
  type Work,
} from '../runs/subject.js';
import { unequalNoiseBounds } from './unequal-noise-bounds.js';

/** A measurement that time may cut short. */
export interface Limited extends Work {
  /** Asked between epochs or trials: true ends the work there. */
  readonly expired: () => boolean;
}

export interface Cut<T> {
  readonly result: T;
  readonly shortened: readonly string[];
}

const ENTITIES = 400;
const ENTITY_DRAWS = 16;

/** The limits on every possible attacker, from the held-out documents. */
export async function bounds(subject: Subject, work: Work): Promise<Bounds> {
  if (requireRepresentation(subject).config.noise === 'dependent')
    return unequalNoiseBounds(subject, work);
  const target = await subject.target(work);
  const pairs = await subject.heldOutPairs(work);
  const random = subject.random('entities');
  const comparisons = 1;
  const certified = certifiedBound({ ...pairs, comparisons });
  const context = { ...work, comparisons, origins: pairs.origins };
  const entities = await entityBound(target, ENTITY_DRAWS, ENTITIES, random, context);
  const { pairs: count, draws, percentile99, shareOver60, slices } = certified;
  return {
    certified: {
      ...boundOf(certified),
      ...{ pairs: count, draws, percentile99, shareOver60 },
      slices: slices.map(({ by, value, trials, success }) => {
        return { by, value, trials, bound: asMeasured(success) };
      }),
    },
    entities: { ...boundOf(entities), entities: entities.entities },
  };
}

function boundOf(report: Pick<CertifiedBoundReport & EntityBoundReport, keyof Bound>): Bound {
  const { documents, bound, median, percentile95, maximum } = report;
  return { documents, bound: asMeasured(bound), median, percentile95, maximum };
}

/** The likelihood attacks on one release of held-out sentences. */
export async function knownNoiseAttacks(
  subject: Subject,
  trials: number,
  work: Limited,
): Promise<Cut<KnownNoise>> {
  const pairs = await subject.heldOutPairs(work);
  const attack = knownNoise({ trials, releases: [1] });
  const reports = await run(attack, subject, pairs, work);
  return {
    result: Object.fromEntries(reports.map((report) => [report.name, resultOf(report)])),
    shortened: reports.slice(0, 1).flatMap(({ shortened }) => shortened ?? []),
  };
}

/**
 * The paper's test of privacy (Friedrich et al. 2019, sections 7.3 and 9): the adversary of training learns
 * on, at the rate of training, for the epochs that the run's `audit` section allows. It is measured before, and
 * after on documents that it has not seen and on those that it learned from: as it was after the epoch that its
 * validation notes found best, and as it was after the last. Checkpoints lie in `directory`.
 */
export async function learnOn(
  subject: Subject,
  directory: string,
  work: Limited,
): Promise<Cut<ContinuedAdversary>> {
  const { configs, weights } = subject.networks;
  const { units } = configs.adversary as { units: number };
  const { audit, seed } = subject.run.config;
  const limits = { ...audit, learningRate: subject.run.config.learner.learningRate };
  const record = { kind: 'continued adversary', seed, ...limits };
  const learning = await RunDirectory.beginOrResume(directory, record);
  const asItIs = (start: NamedArrays) =>
    continuedAdversary({ units, start, limits: { maxEpochs: 0, patience: 1 } });
  const learned = continuedAdversary({ units, start: weights.adversary, limits });
  const unseen = await subject.heldOutPairs(work);
  const [before] = await run(asItIs(weights.adversary), subject, unseen, work);
  const [after] = await run(learned, subject, unseen, work, learning);
  // The stage has come to its end in `learning`: the same adversary is measured on other pairs.
  const seen = await subject.learnedPairs(work);
  const known = await run(learned, subject, seen, work, learning);
  const state = await learning.latest(learned.name);
  const last = asItIs(state?.networks.judge ?? weights.adversary);
  return {
    result: {
      epochs: Number(after.settings.epochs),
      bestEpoch: Number(after.settings.bestEpoch),
      before: resultOf(before),
      unseen: resultOf(after),
      learned: resultOf(known[0]),
      last: {
        unseen: resultOf((await run(last, subject, unseen, work))[0]),
        learned: resultOf((await run(last, subject, seen, work))[0]),
      },
    },
    shortened: after.shortened === null ? [] : [after.shortened],
  };
}

async function run(
  attack: Attack,
  subject: Subject,
  pairs: MeasuredPairs,
  { signal, progress, expired }: Limited,
  learning?: RunDirectory,
): Promise<AttackReport[]> {
  const random = subject.random(attack.name);
  const context: AttackContext = {
    ...pairs,
    ...{ comparisons: 1, random, signal, progress, expired, run: learning },
  };
  return conduct(attack, await subject.target({ signal, progress }), context);
}

function resultOf({ trials, documents, success, chance, limit }: AttackReport): AttackResult {
  return {
    trials,
    documents,
    success: asMeasured(success),
    chance,
    limit: limit && asMeasured(limit),
  };
}
