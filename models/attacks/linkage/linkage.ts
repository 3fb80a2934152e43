import { Linker } from '../../networks/linker.js';
import { meanOf } from '../../statistics/mean-of.js';
import { ofOrigins } from '../../statistics/origins.js';
import type { ScoredPair } from '../../statistics/roc.js';
import { sigmoidCrossEntropy } from '../../tensor/cross-entropy.js';
import { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import { Learner } from '../../training/run/learner.js';
import { LEARNER_DEFAULTS } from '../../training/run/learner-options.js';
import { runStage } from '../../training/run/run-stage.js';
import type { Stage } from '../../training/run/stage.js';
import type { Attack } from '../attack.js';
import { chunks } from '../chunks.js';
import { freeAfter, freeOnError } from '../held-memory.js';
import { IN_CLEAR, inClear } from '../in-clear.js';
import { LEARNING_LIMITS, type LearningLimits } from '../learned/learning-limits.js';
import { type Mention, mentionVectors } from '../likelihood/mention.js';
import { isRight, pairStatistics } from '../likelihood/pair-statistics.js';
import { attackReport, shortenedLearning } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { TraitReader, type Traits } from '../traits.js';
import { type LinkPair, linkPairs, triesFor } from './link-pairs.js';

export interface LinkageOptions {
  readonly limits?: LearningLimits;
  /** Pairs of one word, and as many of two, to learn from in an epoch and to be measured on. */
  readonly couples?: number;
}

/** As many pairs of one word as of two are drawn. */
const COIN = 0.5;

/** Of each part of the notes, for a loss and an accuracy to mean something. */
const LEAST_COUPLES = 5;

/** A linker and what it sees of mentions, each [P, D]. */
interface Sight {
  readonly linker: Linker;
  see(mentions: readonly Mention[], random: Random): tf.Tensor2D[];
}

interface TrainedLinkers {
  readonly sighted: Sight;
  readonly blind: Sight;
  readonly epochs: number;
  readonly bestEpoch: number;
}

interface LinkageFound extends Pick<TrainedLinkers, 'epochs' | 'bestEpoch'> {
  readonly linked: readonly LinkedPair[];
}

interface LinkedPair extends ScoredPair {
  readonly guessed: number;
  readonly traits: Traits;
}

/**
 * Linkage: whether the vectors of two PHI tokens, of different sentences, stand for one word; within
 * a document, across documents and across institutions. A network learns it on the attacker's own
 * notes from pairs whose labels agree. Guessing is what a like network learns from what is
 * shared in clear alone, or a coin where that does no better.
 */
export function linkage({
  limits = LEARNING_LIMITS,
  couples = 500,
}: LinkageOptions = {}): Attack<TrainedLinkers, LinkageFound> {
  return {
    name: 'linkage',
    minutes: 0.5,
    reports: 1,
    obstacle(target) {
      const few = [target.train, target.validation, target.test].some((part) => {
        const pairs = linkPairs(part, LEAST_COUPLES, new Random(1), target, triesFor(couples));
        return pairs.length < 2 * LEAST_COUPLES;
      });
      return few
        ? 'whether the vectors of two names are of one (linkage): in a part of the notes hardly any name stands in two sentences beside others of its type'
        : undefined;
    },
    async prepare(target, context) {
      const { dimension } = target.representation.config;
      const random = context.random.fork('linker');
      const sighted: Sight = {
        linker: new Linker([dimension, IN_CLEAR], random),
        see: (mentions, noise) => [mentionVectors(target, mentions, noise), inClear(mentions)],
      };
      const blind: Sight = {
        linker: new Linker([IN_CLEAR], random),
        see: (mentions) => [inClear(mentions)],
      };
      const learn = (name: string, sight: Sight) =>
        runStage(linkerStage(name, sight, target, limits, couples), context);
      return freeOnError(weightsOf(sighted, blind), async () => {
        await learn('linkage-in-clear', blind);
        return { sighted, blind, ...(await learn('linkage', sighted)) };
      });
    },
    async run(target, { random }, { sighted, blind, epochs, bestEpoch }) {
      const linked = await freeAfter(weightsOf(sighted, blind), () => {
        const pairs = linkPairs(target.test, couples, random.fork('test'), target);
        return judgeLinks(pairs, sighted, blind, target, random.fork('measure'));
      });
      return { linked, epochs, bestEpoch };
    },
    report({ linked, epochs, bestEpoch }, context) {
      const found = ofOrigins(linked, context.origins);
      const heading = {
        name: 'linkage',
        attack: 'linkage',
        task: 'link two names',
        description:
          'learns on its own notes to see whether the vectors of two words are of one name, in different sentences; guessing is the same without the vectors',
        settings: { couples, epochs, bestEpoch, ...limits },
        pairs: pairStatistics(found),
        shortened: shortenedLearning({ epochs, bestEpoch }, limits),
      } as const;
      const outcomes = found.map((pair) => ({ ...pair, success: isRight(pair) }));
      return [attackReport(heading, outcomes, 'tried', context)];
    },
  };
}

function weightsOf(...sights: readonly Sight[]) {
  return sights.map(({ linker }) => linker.parameters);
}

/** Judges each pair by both linkers. */
function judgeLinks(
  pairs: readonly LinkPair[],
  sighted: Sight,
  blind: Sight,
  target: AuditTarget,
  noise: Random,
): LinkedPair[] {
  const [scores, guesses] = [sighted, blind].map((sight) =>
    chunks(pairs).flatMap((batch) => [
      ...scoped(() => linkLogits(sight, batch, noise).dataSync<'float32'>()),
    ]),
  );
  const traits = new TraitReader(target);
  const guessed = pairs.map(({ same }, i) => Number(guesses[i] >= 0 === same));
  const isWorseThanCoin = meanOf(guessed) < COIN;
  return pairs.map(({ one, same, place }, i) => ({
    documentIndex: one.example.documentIndex,
    score: scores[i],
    real: same,
    guessed: isWorseThanCoin ? COIN : guessed[i],
    blind: guesses[i],
    traits: { ...traits.of(one.example, one.position), place },
  }));
}

function linkerStage(
  name: string,
  sight: Sight,
  target: AuditTarget,
  limits: LearningLimits,
  couples: number,
): Stage {
  const { linker } = sight;
  const learner = new Learner([linker.parameters], LEARNER_DEFAULTS);
  return {
    name,
    ...limits,
    networks: { linker: linker.parameters },
    optimisers: { linker: learner },
    *batches(random) {
      for (const batch of chunks(linkPairs(target.train, couples, random, target))) {
        const run = () =>
          tf.tidy(() => {
            const [one, other] = viewsOf(sight, batch, random);
            return { l_link: learner.step(() => lossOf(linker.logits(one, other), batch)) };
          });
        yield { tokens: batch.length, run };
      }
    },
    validate(random) {
      const pairs = linkPairs(target.validation, couples, random, target);
      let sum = 0;
      for (const batch of chunks(pairs)) {
        const loss = () => lossOf(linkLogits(sight, batch, random), batch);
        sum += batch.length * tf.tidy(() => loss().dataSync<'float32'>()[0]);
      }
      return { l_link: sum / pairs.length, monitor: sum / pairs.length };
    },
  };
}

function lossOf(logits: tf.Tensor1D, pairs: readonly LinkPair[]): tf.Scalar {
  const truth = tf.tensor1d(pairs.map(({ same }) => Number(same)));
  return tf.mean(sigmoidCrossEntropy(logits, truth));
}

function linkLogits(sight: Sight, pairs: readonly LinkPair[], random: Random): tf.Tensor1D {
  const [one, other] = viewsOf(sight, pairs, random);
  return sight.linker.logits(one, other);
}

/** Both mentions of each pair, the vectors from releases of their own. */
function viewsOf({ see }: Sight, pairs: readonly LinkPair[], random: Random) {
  return (['one', 'other'] as const).map((side) =>
    see(
      pairs.map((pair) => pair[side]),
      random,
    ),
  );
}
