import { setImmediate } from 'node:timers/promises';
import type { Judge, PairEvidence } from '../networks/judge.js';
import { sigmoidCrossEntropy } from '../tensor/cross-entropy.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, lengthBuckets, paddedIds } from '../training/batch.js';
import { LEARNER_DEFAULTS, Learner } from '../training/learner.js';
import { drawPairs, type PairSource, pairSource } from '../training/pairs.js';
import { runStage, type Stage } from '../training/stage.js';
import type { AttackContext, AttackReport } from './attack.js';
import { curveOf, type JudgedPair, pairReport } from './attack-report.js';
import { pairBound } from './distances.js';
import { isRight } from './pair-statistics.js';
import type { PairTrial } from './pair-trials.js';
import type { AuditTarget } from './target.js';

export interface LearningLimits {
  readonly maxEpochs: number;
  /** Epochs without a lower loss on the validation notes before learning ends. */
  readonly patience: number;
}

/** Friedrich et al. 2019, section 5.3: 50 epochs, or no better for 10. */
export const LEARNING_LIMITS: LearningLimits = { maxEpochs: 50, patience: 10 };

/** Releases of one sentence whose verdicts are added up, on so many of the trials. */
const RELEASES = [1, 2, 4, 8, 16, 32, 64];
const AVERAGED_TRIALS = 64;

/**
 * Trains a judge on the attacker's own notes against the frozen representation, and measures it on
 * the shared pairs. A success shows a leak; a failure shows no more than that this judge found none.
 */
export async function learnedAdversary(
  judge: Judge,
  heading: Pick<AttackReport, 'name' | 'description' | 'settings'>,
  target: AuditTarget,
  limits: LearningLimits,
  context: AttackContext,
): Promise<AttackReport> {
  const stage = judgeStage(judge, heading.name, target, limits);
  const { epochs, bestEpoch } = await runStage(stage, context);
  const validation = new Map<number, number>();
  for (const record of (await context.run?.epochs(heading.name)) ?? [])
    validation.set(record.epoch, record.validation.accuracy);
  const random = context.random.fork('measure');
  const judged = await judgeTrials(judge, target, context.trials, context, random);
  const averaged = await averagedVerdicts(judge, target, context, random.fork('releases'));
  return pairReport(
    {
      name: heading.name,
      description: heading.description,
      task: 'tell a pair apart',
      settings: { ...heading.settings, epochs, bestEpoch, ...limits },
      shortened:
        epochs < limits.maxEpochs && epochs - bestEpoch < limits.patience
          ? `${epochs} of up to ${limits.maxEpochs} epochs`
          : null,
      curves: [averaged, ...learningCurve(validation)],
    },
    judged,
    context,
  );
}

function learningCurve(accuracies: ReadonlyMap<number, number>) {
  if (accuracies.size === 0) return [];
  const points = [...accuracies].map(([at, success]) => {
    const interval: [number, number] = [success, success];
    return { at, success, interval, limit: null };
  });
  return [{ over: 'epochs' as const, points }];
}

function judgeStage(
  judge: Judge,
  name: string,
  target: AuditTarget,
  limits: LearningLimits,
): Stage {
  const learner = new Learner([judge.parameters], LEARNER_DEFAULTS);
  const source = {
    train: pairSource(target.train, target.candidates),
    validation: pairSource(target.validation, target.candidates),
  };
  return {
    name,
    ...limits,
    networks: { judge: judge.parameters },
    optimisers: { judge: learner },
    startCounts: true,
    *batches(random) {
      for (const { tokens, draw } of drawnPairs(target, source.train, random)) {
        const run = () =>
          tf.tidy(() => {
            const { evidence, real } = draw();
            return { l_adv: learner.step(() => lossOf(judge.logits(evidence), real)) };
          });
        yield { tokens, run };
      }
    },
    validate(random) {
      let loss = 0;
      let right = 0;
      let pairs = 0;
      for (const { draw } of drawnPairs(target, source.validation, random)) {
        tf.tidy(() => {
          const { evidence, real } = draw();
          const logits = judge.logits(evidence);
          loss += real.length * lossOf(logits, real).dataSync<'float32'>()[0];
          logits.dataSync<'float32'>().forEach((score, i) => {
            if (score >= 0 === (real[i] === 1)) right += 1;
          });
          pairs += real.length;
        });
      }
      return { l_adv: loss / pairs, accuracy: right / pairs, monitor: loss / pairs };
    },
  };
}

function lossOf(logits: tf.Tensor1D, real: Float32Array): tf.Scalar {
  return tf.mean(sigmoidCrossEntropy(logits, tf.tensor1d(real)));
}

/** One pair of every sentence that can make one, in batches; `draw` inside a tidy. */
function* drawnPairs(target: AuditTarget, source: PairSource, random: Random) {
  const examples = [...source.positions.keys()];
  for (const { examples: batch, tokens } of lengthBuckets(examples, BATCH_SENTENCES, random)) {
    const draw = () => {
      const { ids, real } = drawPairs(batch, source, random);
      const firsts = batch.map((example) => example.ids);
      return { evidence: evidenceOf(target, firsts, ids, random), real };
    };
    yield { tokens, draw };
  }
}

/** Pairs of sentences `first`, which the attacker knows, and fresh releases of `second`. */
function evidenceOf(
  { representation, vocabulary }: AuditTarget,
  first: readonly Int32Array[],
  second: readonly Int32Array[],
  random: Random,
): PairEvidence {
  const lengths = Int32Array.from(first, (ids) => ids.length);
  const steps = Math.max(...lengths);
  const x = representation.embed(vocabulary, paddedIds(first, steps), steps); // [P, T, E]
  const other = representation.embed(vocabulary, paddedIds(second, steps), steps);
  const clean = representation.mean(x, lengths); // [P, T, d]
  const released = representation.forward(other, lengths, random);
  return {
    embeddings: x,
    first: representation.forward(x, lengths, random),
    second: released,
    clean,
    residual: released.sub<tf.Tensor3D>(clean).div(representation.outputStddev()),
    lengths,
  };
}

async function judgeTrials(
  judge: Judge,
  target: AuditTarget,
  trials: readonly PairTrial[],
  { distances, signal, progress }: AttackContext,
  random: Random,
): Promise<JudgedPair[]> {
  const judged = new Array<JudgedPair>(trials.length);
  const order = trials
    .map((_, i) => i)
    .sort((a, b) => trials[a].twin.length - trials[b].twin.length);
  for (let from = 0; from < order.length; from += BATCH_SENTENCES) {
    signal?.throwIfAborted();
    progress?.({ step: 'measuring', done: from, total: order.length, unit: 'pairs' });
    const batch = order.slice(from, from + BATCH_SENTENCES);
    const own = batch.map((i) => trials[i]);
    const scores = scoresOf(judge, target, own, random);
    batch.forEach((i, row) => {
      const { example, real, traits } = trials[i];
      const { documentIndex } = example;
      judged[i] = {
        documentIndex,
        score: scores[row],
        real,
        limit: pairBound(distances[i]),
        traits,
      };
    });
    await setImmediate();
  }
  return judged;
}

function scoresOf(
  judge: Judge,
  target: AuditTarget,
  trials: readonly PairTrial[],
  random: Random,
): Float32Array {
  const first = trials.map(({ example }) => example.ids);
  const second = trials.map(({ example, twin, real }) => (real ? example.ids : twin));
  return tf.tidy(() =>
    judge.logits(evidenceOf(target, first, second, random)).dataSync<'float32'>(),
  );
}

/** The judge's log-odds added up over k releases of the same sentence. */
async function averagedVerdicts(
  judge: Judge,
  target: AuditTarget,
  { trials, distances, signal }: AttackContext,
  random: Random,
) {
  const some = trials.slice(0, AVERAGED_TRIALS);
  const most = Math.max(...RELEASES);
  const scores: Float32Array[] = [];
  for (const trial of some) {
    signal?.throwIfAborted();
    const copies = Array.from({ length: most }, () => trial);
    scores.push(scoresOf(judge, target, copies, random));
    await setImmediate();
  }
  const outcomesAt = (index: number) =>
    some.map(({ example, real }, i) => {
      const score = scores[i].subarray(0, RELEASES[index]).reduce((a, b) => a + b, 0);
      return {
        documentIndex: example.documentIndex,
        success: isRight({ documentIndex: example.documentIndex, score, real }),
        limit: pairBound(distances[i], RELEASES[index]),
      };
    });
  return curveOf('releases', RELEASES, outcomesAt);
}
