import { setImmediate } from 'node:timers/promises';
import { pairBound } from '../../certification/bounds.js';
import { movablePositions } from '../../certification/move.js';
import type { Judge } from '../../networks/judge.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { BATCH_SENTENCES } from '../../training/data/batch.js';
import type { AttackContext, Curve } from '../attack.js';
import { observe, paddedReleases } from '../likelihood/observe.js';
import { evidenceOf } from '../likelihood/pair-evidence.js';
import { isRight } from '../likelihood/pair-statistics.js';
import { heldOption, judgedOption, type PairTrial, withWord } from '../likelihood/pair-trials.js';
import { curveOf, type JudgedPair } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';

/** Releases of one sentence whose answers are added up, on so many of the trials. */
const RELEASES = [1, 2, 4, 8, 16, 32, 64];
const AVERAGED_TRIALS = 64;

/** What a judge says of each of the pairs that all attacks share. */
export async function judgeTrials(
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
      const { example, real, released, traits } = trials[i];
      const { documentIndex } = example;
      judged[i] = {
        documentIndex,
        score: scores[row],
        real,
        limit: pairBound(distances[i]),
        isGiven: released !== undefined,
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
    withWord(trial.example.ids, trial.position, trial.options[which]);
  const held = trials.map((trial) => {
    const movable = movablePositions(trial.example, target.candidates);
    return { ids: option(trial, heldOption(trial)), movable };
  });
  return tf.tidy(() => {
    const { representation, vocabulary } = target;
    const shared = trials.flatMap(({ released }) => released ?? []);
    const released =
      shared.length === trials.length
        ? paddedReleases(
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
export async function averagedAnswers(
  judge: Judge,
  target: AuditTarget,
  context: AttackContext,
  random: Random,
): Promise<Curve[]> {
  if (target.released) return [];
  const { trials, distances, signal } = context;
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
  return [curveOf('releases', RELEASES, outcomesAt, context)];
}
