import { Linker } from '../networks/linker.js';
import { sigmoidCrossEntropy } from '../tensor/cross-entropy.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { LEARNER_DEFAULTS, Learner } from '../training/learner.js';
import { runStage, type Stage } from '../training/stage.js';
import type { Attack } from './attack.js';
import { attackReport, shortenedLearning } from './attack-report.js';
import { LEARNING_LIMITS, type LearningLimits } from './learning-limits.js';
import { type LinkPair, linkPairs } from './link-pairs.js';
import { mentionVectors } from './mention.js';
import { isRight, pairStatistics } from './pair-statistics.js';
import type { ScoredPair } from './roc.js';
import type { AuditTarget } from './target.js';
import { TraitReader, type Traits } from './traits.js';

export interface LinkageOptions {
  readonly limits?: LearningLimits;
  /** Pairs of one word, and as many of two, to learn from in an epoch and to be measured on. */
  readonly couples?: number;
}

const BATCH_PAIRS = 32;

interface TrainedLinker {
  readonly linker: Linker;
  readonly epochs: number;
  readonly bestEpoch: number;
}

interface LinkageFound extends Omit<TrainedLinker, 'linker'> {
  readonly linked: readonly LinkedPair[];
}

interface LinkedPair extends ScoredPair {
  readonly traits: Traits;
}

/**
 * Linkage: whether the vectors of two PHI tokens, of different sentences, stand for one word; within
 * a document, across documents and across institutions. A network learns it on the attacker's own
 * notes from pairs whose labels agree.
 */
export function linkage({
  limits = LEARNING_LIMITS,
  couples = 500,
}: LinkageOptions = {}): Attack<TrainedLinker, LinkageFound> {
  return {
    name: 'linkage',
    minutes: 0.5,
    reports: 1,
    async prepare(target, context) {
      const { dimension } = target.representation.config;
      const linker = new Linker(dimension, context.random.fork('linker'));
      return { linker, ...(await runStage(linkerStage(linker, target, limits, couples), context)) };
    },
    async run(target, { random }, { linker, epochs, bestEpoch }) {
      const pairs = linkPairs(target.test, couples, random.fork('test'), target.institutions);
      const noise = random.fork('measure');
      const traits = new TraitReader(target);
      const found = batchesOf(pairs).flatMap((batch) => {
        const scores = scoped(() => linked(linker, target, batch, noise).dataSync<'float32'>());
        return batch.map(({ one, same, place }, i) => ({
          documentIndex: one.example.documentIndex,
          score: scores[i],
          real: same,
          traits: { ...traits.of(one.example, one.position), place },
        }));
      });
      linker.parameters.dispose();
      return { linked: found, epochs, bestEpoch };
    },
    report({ linked: found, epochs, bestEpoch }, context) {
      const heading = {
        name: 'linkage',
        task: 'link two names',
        description:
          'learns on its own notes to see whether the vectors of two words are of one name, in different sentences',
        settings: { couples, epochs, bestEpoch, ...limits },
        pairs: pairStatistics(found),
        shortened: shortenedLearning({ epochs, bestEpoch }, limits),
      } as const;
      const outcomes = found.map((pair) => ({ ...pair, success: isRight(pair) }));
      return [attackReport(heading, outcomes, 0.5, context)];
    },
  };
}

function linkerStage(
  linker: Linker,
  target: AuditTarget,
  limits: LearningLimits,
  couples: number,
): Stage {
  const learner = new Learner([linker.parameters], LEARNER_DEFAULTS);
  return {
    name: 'linkage',
    ...limits,
    networks: { linker: linker.parameters },
    optimisers: { linker: learner },
    *batches(random) {
      for (const batch of batchesOf(
        linkPairs(target.train, couples, random, target.institutions),
      )) {
        const run = () =>
          tf.tidy(() => {
            const vectors = vectorsOf(target, batch, random);
            return { l_link: learner.step(() => lossOf(linker.logits(...vectors), batch)) };
          });
        yield { tokens: batch.length, run };
      }
    },
    validate(random) {
      const pairs = linkPairs(target.validation, couples, random, target.institutions);
      let sum = 0;
      for (const batch of batchesOf(pairs)) {
        const loss = () => lossOf(linked(linker, target, batch, random), batch);
        sum += batch.length * tf.tidy(() => loss().dataSync<'float32'>()[0]);
      }
      return { l_link: sum / pairs.length, monitor: sum / pairs.length };
    },
  };
}

function batchesOf(pairs: readonly LinkPair[]): LinkPair[][] {
  const batches: LinkPair[][] = [];
  for (let from = 0; from < pairs.length; from += BATCH_PAIRS)
    batches.push(pairs.slice(from, from + BATCH_PAIRS));
  return batches;
}

function lossOf(logits: tf.Tensor1D, pairs: readonly LinkPair[]): tf.Scalar {
  const truth = tf.tensor1d(pairs.map(({ same }) => Number(same)));
  return tf.mean(sigmoidCrossEntropy(logits, truth));
}

function linked(linker: Linker, target: AuditTarget, pairs: readonly LinkPair[], random: Random) {
  return linker.logits(...vectorsOf(target, pairs, random));
}

/** The released vectors of both tokens of each pair, [P, d] twice, from releases of their own. */
function vectorsOf(
  target: AuditTarget,
  pairs: readonly LinkPair[],
  random: Random,
): [tf.Tensor2D, tf.Tensor2D] {
  const of = (side: 'one' | 'other') =>
    mentionVectors(
      target,
      pairs.map((pair) => pair[side]),
      random,
    );
  return [of('one'), of('other')];
}
