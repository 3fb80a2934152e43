import { Linker } from '../networks/linker.js';
import { sigmoidCrossEntropy } from '../tensor/cross-entropy.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { LEARNER_DEFAULTS, Learner } from '../training/learner.js';
import { runStage, type Stage } from '../training/stage.js';
import type { Attack } from './attack.js';
import { attackReport } from './attack-report.js';
import type { LearningLimits } from './learned-adversary.js';
import { type LinkPair, linkPairs, type Mention } from './link-pairs.js';
import { observe } from './observe.js';
import { isRight, pairStatistics } from './pair-statistics.js';
import type { AuditTarget } from './target.js';
import { TraitReader } from './traits.js';

export interface LinkageOptions {
  readonly limits?: LearningLimits;
  /** Pairs of one word, and as many of two, to learn from in an epoch and to be measured on. */
  readonly couples?: number;
}

const LIMITS: LearningLimits = { maxEpochs: 20, patience: 4 };
const BATCH_PAIRS = 32;

/**
 * Linkage: whether the vectors of two PHI tokens, of different sentences, stand for one word. A
 * network learns it on the attacker's own notes from pairs whose labels agree.
 */
export function linkage({ limits = LIMITS, couples = 500 }: LinkageOptions = {}): Attack {
  return {
    name: 'linkage',
    weight: 1,
    reports: 1,
    async run(target, context) {
      const { random, comparisons } = context;
      const linker = new Linker(target.representation.config.dimension, random.fork('linker'));
      const { epochs, bestEpoch } = await runStage(
        linkerStage(linker, target, limits, couples),
        context,
      );
      const pairs = linkPairs(target.test, couples, random.fork('test'));
      const noise = random.fork('measure');
      const traits = new TraitReader(target);
      const scored = batchesOf(pairs).flatMap((batch) => {
        const scores = scoped(() => linked(linker, target, batch, noise).dataSync<'float32'>());
        return batch.map(({ one, same }, i) => ({
          documentIndex: one.example.documentIndex,
          score: scores[i],
          real: same,
          traits: traits.of(one.example, one.position),
        }));
      });
      linker.parameters.dispose();
      return [
        attackReport(
          {
            name: 'linkage',
            task: 'link two names',
            description:
              'learns on its own notes to see whether the vectors of two words are of one name, in different sentences',
            settings: { couples, epochs, bestEpoch, ...limits },
            pairs: pairStatistics(scored),
            shortened:
              epochs < limits.maxEpochs && epochs - bestEpoch < limits.patience
                ? `${epochs} of up to ${limits.maxEpochs} epochs`
                : null,
          },
          scored.map((pair) => ({ ...pair, success: isRight(pair) })),
          0.5,
          { comparisons },
        ),
      ];
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
      for (const batch of batchesOf(linkPairs(target.train, couples, random))) {
        const run = () =>
          tf.tidy(() => {
            const vectors = vectorsOf(target, batch, random);
            return { l_link: learner.step(() => lossOf(linker.logits(...vectors), batch)) };
          });
        yield { tokens: batch.length, run };
      }
    },
    validate(random) {
      const pairs = linkPairs(target.validation, couples, random);
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

function mentionVectors(
  { representation, vocabulary }: AuditTarget,
  mentions: readonly Mention[],
  random: Random,
): tf.Tensor2D {
  const sentences = mentions.map(({ example }) => example.ids);
  const released = observe(representation, vocabulary, sentences, random); // [P, T, d]
  const [, T, d] = released.shape;
  const values = released.dataSync<'float32'>();
  const rows = new Float32Array(mentions.length * d);
  mentions.forEach(({ position }, i) => {
    const from = (i * T + position) * d;
    rows.set(values.subarray(from, from + d), i * d);
  });
  return tf.tensor2d(rows, [mentions.length, d]);
}
