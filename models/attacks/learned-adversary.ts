import { setImmediate } from 'node:timers/promises';
import type { Judge, PairEvidence } from '../networks/judge.js';
import { sigmoidCrossEntropy } from '../tensor/cross-entropy.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, lengthBuckets, paddedIds, tokensOf } from '../training/batch.js';
import { LEARNER_DEFAULTS, Learner } from '../training/learner.js';
import { drawPairs, type PairSource, pairSource } from '../training/pairs.js';
import type { EpochRecord } from '../training/run-directory.js';
import { runStage, type Stage } from '../training/stage.js';
import type { Attack, AttackContext, AttackReport, Curve } from './attack.js';
import { curveOf, type JudgedPair, pairReport, shortenedLearning } from './attack-report.js';
import { pairBound } from './distances.js';
import { observe, padded } from './observe.js';
import { isRight } from './pair-statistics.js';
import { heldOption, judgedOption, moved, type PairTrial } from './pair-trials.js';
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

/** A judge that is to be trained, and what to say of it. */
export interface JudgePlan {
  readonly name: string;
  readonly description: string;
  readonly settings: AttackReport['settings'];
  readonly minutes: number;
  readonly limits: LearningLimits;
  create(target: AuditTarget, random: Random): Judge;
}

interface TrainedJudge {
  readonly judge: Judge;
  readonly epochs: number;
  readonly bestEpoch: number;
}

interface JudgedTrials extends Omit<TrainedJudge, 'judge'> {
  readonly judged: readonly JudgedPair[];
  readonly curves: readonly Curve[];
}

/**
 * Trains a judge on the attacker's own notes against the frozen representation, and measures it on
 * the shared pairs. A success shows a leak; a failure shows no more than that this judge found none.
 */
export function learnedAdversary({
  name,
  description,
  settings,
  minutes,
  limits,
  create,
}: JudgePlan): Attack<TrainedJudge, JudgedTrials> {
  return {
    name,
    minutes,
    reports: 1,
    async prepare(target, context) {
      const judge = create(target, context.random);
      return { judge, ...(await runStage(judgeStage(judge, name, target, limits), context)) };
    },
    async run(target, context, { judge, epochs, bestEpoch }) {
      const random = context.random.fork('measure');
      const judged = await judgeTrials(judge, target, context.trials, context, random);
      const averaged = await averagedVerdicts(judge, target, context, random.fork('releases'));
      judge.parameters.dispose();
      const learning = learningCurve((await context.run?.epochs(name)) ?? []);
      return { judged, epochs, bestEpoch, curves: [...averaged, ...learning] };
    },
    report({ judged, epochs, bestEpoch, curves }, context) {
      const heading = {
        name,
        description,
        task: 'tell a pair apart',
        settings: { ...settings, epochs, bestEpoch, ...limits },
        shortened: shortenedLearning({ epochs, bestEpoch }, limits),
        curves,
      } as const;
      return [pairReport(heading, judged, context)];
    },
  };
}

/** Accuracy on the attacker's training and validation notes after each epoch. */
function learningCurve(records: readonly EpochRecord[]): Curve[] {
  const epochs = new Map(records.map((record) => [record.epoch, record]));
  const curve = (over: Curve['over'], accuracy: (record: EpochRecord) => number): Curve => ({
    over,
    points: [...epochs].map(([at, record]) => {
      const success = accuracy(record);
      return { at, success, interval: [success, success], limit: null };
    }),
  });
  if (epochs.size === 0) return [];
  return [
    curve('epochs', ({ validation }) => validation.accuracy),
    curve('epochs on its own notes', ({ train }) => train.accuracy),
  ];
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
    tokensPerEpoch: tokensOf(source.train.positions.keys()),
    startCounts: true,
    *batches(random) {
      for (const { tokens, draw } of drawnPairs(target, source.train, random)) {
        const run = () =>
          tf.tidy(() => {
            const { evidence, real } = draw();
            let right = 0;
            const l_adv = learner.step(() => {
              const logits = judge.logits(evidence);
              right = rightOf(logits, real);
              return lossOf(logits, real);
            });
            return { l_adv, accuracy: right / real.length };
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
          right += rightOf(logits, real);
          pairs += real.length;
        });
      }
      return { l_adv: loss / pairs, accuracy: right / pairs, monitor: loss / pairs };
    },
  };
}

function rightOf(logits: tf.Tensor1D, real: Float32Array): number {
  return logits.dataSync<'float32'>().filter((score, i) => score >= 0 === (real[i] === 1)).length;
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
      const held = batch.map((example) => example.ids);
      const { representation, vocabulary } = target;
      const released = observe(representation, vocabulary, ids, random);
      return { evidence: evidenceOf(target, held, released, random), real };
    };
    yield { tokens, draw };
  }
}

/** Pairs of sentences that the attacker holds, [P][T], and releases [P, T, d]. */
function evidenceOf(
  { representation, vocabulary }: AuditTarget,
  held: readonly Int32Array[],
  released: tf.Tensor3D,
  random: Random,
): PairEvidence {
  const lengths = Int32Array.from(held, (ids) => ids.length);
  const steps = Math.max(...lengths);
  const x = representation.embed(vocabulary, paddedIds(held, steps), steps); // [P, T, E]
  const clean = representation.mean(x, lengths); // [P, T, d]
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
  const option = (trial: PairTrial, which: number) =>
    moved(trial.example.ids, trial.position, trial.options[which]);
  const held = trials.map((trial) => option(trial, heldOption(trial)));
  return tf.tidy(() => {
    const { representation, vocabulary } = target;
    const shared = trials.flatMap(({ released }) => released ?? []);
    const released =
      shared.length === trials.length
        ? padded(
            shared,
            representation.config.dimension,
            trials.map(({ example }) => example),
          )
        : observe(
            representation,
            vocabulary,
            trials.map((trial) => option(trial, judgedOption(trial))),
            random,
          );
    return judge.logits(evidenceOf(target, held, released, random)).dataSync<'float32'>();
  });
}

/** The judge's log-odds added up over k releases of the same sentence. */
async function averagedVerdicts(
  judge: Judge,
  target: AuditTarget,
  { trials, distances, signal }: AttackContext,
  random: Random,
): Promise<Curve[]> {
  if (target.released) return [];
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
  return [curveOf('releases', RELEASES, outcomesAt)];
}
