import type { Judge } from '../../networks/judge.js';
import type { Random } from '../../tensor/random.js';
import type { EpochRecord } from '../../training/run/metrics-file.js';
import { runStage } from '../../training/run/run-stage.js';
import type { Attack, AttackReport, Curve } from '../attack.js';
import { freeAfter, freeOnError } from '../held-memory.js';
import { type JudgedPair, pairReport, shortenedLearning } from '../report/attack-report.js';
import type { AuditTarget } from '../target.js';
import { judgeStage } from './judge-stage.js';
import { averagedAnswers, judgeTrials } from './judge-trials.js';
import type { LearningLimits } from './learning-limits.js';

/** A judge that is to be trained, and what to say of it. */
export interface JudgePlan {
  readonly name: string;
  readonly attack: 'continued-adversary' | 'fresh-adversary';
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
  attack,
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
      const learn = () => runStage(judgeStage(judge, name, target, limits), context);
      return { judge, ...(await freeOnError([judge.parameters], learn)) };
    },
    async run(target, context, { judge, epochs, bestEpoch }) {
      const random = context.random.fork('measure');
      const { judged, averaged } = await freeAfter([judge.parameters], async () => ({
        judged: await judgeTrials(judge, target, context.trials, context, random),
        averaged: await averagedAnswers(judge, target, context, random.fork('releases')),
      }));
      const learning = learningCurve((await context.run?.epochs(name)) ?? []);
      return { judged, epochs, bestEpoch, curves: [...averaged, ...learning] };
    },
    report({ judged, epochs, bestEpoch, curves }, context) {
      const heading = {
        name,
        attack,
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
