import { Probe } from '../../networks/probe.js';
import { meanOf } from '../../statistics/mean-of.js';
import type { ScoredPair } from '../../statistics/roc.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { pairSource } from '../../training/data/pairs.js';
import { runStage } from '../../training/run/run-stage.js';
import type { Attack, AttackReport } from '../attack.js';
import { freeAfter, freeOnError, type HeldMemory } from '../held-memory.js';
import { classScores, type ProbeData, probeStage } from '../inversion/probe-stage.js';
import { LEARNING_LIMITS, type LearningLimits } from '../learned/learning-limits.js';
import { isRight, pairStatistics } from '../likelihood/pair-statistics.js';
import { attackReport, shortenedLearning } from '../report/attack-report.js';
import { TraitReader, type Traits } from '../traits.js';
import { partOf, SUSPECT_PARTS, type Suspect, suspects, TWINS } from './suspects.js';

export interface MembershipOptions {
  readonly limits?: LearningLimits;
  /** Sentences of each kind, at most. */
  readonly sentences?: number;
}

const LEAST_SENTENCES = 40;

/** As many members as strangers are drawn. */
const COIN = 0.5;

/** The statistics that an attacker goes by: those of the model, or plain ones of the text. */
type Sight = 'statistics' | 'plain';

interface TrainedProbes {
  readonly attackers: readonly {
    readonly probe: Probe;
    readonly data: ProbeData<Suspect>;
    readonly epochs: number;
    readonly bestEpoch: number;
  }[];
  readonly test: readonly Suspect[];
}

interface Recognised {
  readonly scored: readonly (ScoredPair & { readonly traits: Traits; readonly guessed: number })[];
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/**
 * Membership: whether the provider trained on a sentence that the attacker holds. Training pushes a
 * sentence and its moved twins together, so the attacker, who has the bundle, computes how far apart
 * f puts them, Δ² over several twins, and learns on sentences whose membership it knows how members
 * differ. Guessing is what a like attacker learns without the model, from lengths, PHI and how common
 * the words are: notes of two sources differ in these too.
 */
export function membership({
  limits = LEARNING_LIMITS,
  sentences = 600,
}: MembershipOptions = {}): Attack<TrainedProbes, Recognised> {
  return {
    name: 'membership',
    minutes: 0.4,
    reports: 1,
    obstacle(target) {
      const { members, test, candidates } = target;
      if (members === undefined)
        return 'whether a sentence was in the provider’s training notes (membership): they were not given';
      const sides = [members, test].map((each) => [
        ...pairSource(each, candidates).positions.keys(),
      ]);
      if (sides.some(({ length }) => length < LEAST_SENTENCES))
        return `whether a sentence was in the provider’s training notes (membership): fewer than ${LEAST_SENTENCES} sentences with PHI that moves on a side`;
      const parts = sides.map(
        (side, i) => new Set(side.map((each) => partOf(target, each, i === 0))),
      );
      return parts.some(({ size }) => size < SUSPECT_PARTS.length)
        ? 'whether a sentence was in the provider’s training notes (membership): a side has too few notes for some to learn from and others to judge'
        : undefined;
    },
    async prepare(target, context) {
      const { train, validation, test } = await suspects(target, sentences, context);
      const held: HeldMemory[] = [];
      return freeOnError(held, async () => {
        const attackers = [];
        for (const sight of ['statistics', 'plain'] as const) {
          const data = dataOf(sight, train, validation);
          const probe = new Probe(train[0][sight].length, 2, context.random.fork(`probe-${sight}`));
          held.push(probe.parameters);
          const stage = probeStage(`membership-${sight}`, probe, data, limits);
          attackers.push({ probe, data, ...(await runStage(stage, context)) });
        }
        return { attackers, test };
      });
    },
    async run(target, { random }, { attackers, test }) {
      const held = attackers.map(({ probe }) => probe.parameters);
      const scored = await freeAfter(held, () =>
        judgeSuspects(test, attackers, new TraitReader(target), random),
      );
      const [{ epochs, bestEpoch }] = attackers;
      const settings = { twins: TWINS, sentences: test.length, epochs, bestEpoch, ...limits };
      return {
        scored,
        rest: { settings, shortened: shortenedLearning({ epochs, bestEpoch }, limits) },
      };
    },
    report({ scored, rest }, { comparisons }) {
      const heading = {
        ...rest,
        name: 'membership',
        attack: 'membership',
        task: 'recognise training notes',
        description:
          'holds a sentence and the model, and tells by how far the model puts it from its moved twins whether the provider trained on it; guessing is by lengths and common words alone',
        pairs: pairStatistics(scored),
      } as const;
      const outcomes = scored.map((each) => ({ ...each, success: isRight(each) }));
      return [attackReport(heading, outcomes, 'tried', { comparisons })];
    },
  };
}

/** Judges sentences by the attacker with the model and by the one without. */
function judgeSuspects(
  suspects: readonly Suspect[],
  attackers: TrainedProbes['attackers'],
  traits: TraitReader,
  random: Random,
): Recognised['scored'] {
  const [knowing, plain] = attackers.map(({ probe, data }) => {
    const scores = classScores(probe, data, suspects, random.fork('measure'));
    return scores.map(([stranger, member]) => member - stranger);
  });
  const guesses = suspects.map(({ member }, i) => Number(plain[i] >= 0 === member));
  const isWorseThanCoin = meanOf(guesses) < COIN;
  return suspects.map(({ example, member, document }, i) => {
    const firstPhi = example.labels.findIndex((label) => label > 0);
    return {
      documentIndex: document,
      score: knowing[i],
      blind: plain[i],
      real: member,
      guessed: isWorseThanCoin ? COIN : guesses[i],
      traits: traits.of(example, firstPhi),
    };
  });
}

/** Statistics as the probe reads them: each with mean 0 and variance 1 over the training part. */
function dataOf(
  sight: Sight,
  train: readonly Suspect[],
  validation: readonly Suspect[],
): ProbeData<Suspect> {
  const width = train[0][sight].length;
  const columns = Array.from({ length: width }, (_, at) => train.map((each) => each[sight][at]));
  const centres = columns.map(meanOf);
  const scales = columns.map(
    (column, at) => Math.sqrt(meanOf(column.map((value) => (value - centres[at]) ** 2))) || 1,
  );
  return {
    train,
    validation,
    classOf: ({ member }) => Number(member),
    vectors: (suspects) =>
      tf.tensor2d(
        suspects.flatMap((each) =>
          each[sight].map((value, at) => (value - centres[at]) / scales[at]),
        ),
        [suspects.length, width],
      ),
  };
}
