import path from 'node:path';
import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import type { Document } from '../../../models/text/document.js';
import { TacetError } from '../../../proto/errors.js';
import { measure } from '../../../study/measures/measure.js';
import { openFinishedRun } from '../../../study/runs/finished-run.js';
import { trainRun } from '../train/training-run.js';
import { type DemoSetting, trainingTask, workOf } from './setting.js';

type Interval = readonly [number, number];

/** Token-level, PHI or not; an average over models has no interval. */
export interface Scores {
  readonly f1: number;
  readonly f1Interval: Interval | null;
  readonly recall: number;
  readonly recallInterval: Interval | null;
}

export function scoresOf({ token, intervals }: Evaluation): Scores {
  const { f1, recall } = token.binary;
  return {
    ...{ f1, f1Interval: intervals.f1 ?? null },
    ...{ recall, recallInterval: intervals.recall ?? null },
  };
}

export function meanScore(scores: readonly Scores[]): Scores {
  const mean = (pick: (each: Scores) => number) =>
    scores.reduce((sum, each) => sum + pick(each), 0) / scores.length;
  const [f1, recall] = [mean((each) => each.f1), mean((each) => each.recall)];
  return { f1, f1Interval: null, recall, recallInterval: null };
}

/** Trains a de-identifier on notes in clear, or moved, and scores it on the unseen ones as they are. */
export async function scoreBaseline(
  kind: 'raw' | 'pseudonymized',
  notes: readonly Document[],
  setting: DemoSetting,
  name: string,
): Promise<Scores> {
  const directory = path.join(setting.directory, 'baselines', name.replaceAll(' ', '-'));
  const task = trainingTask(setting, kind, notes, { directory, name: kind });
  const work = workOf(setting, name);
  await trainRun(task, work);
  const material = { ...task.material, heldOut: setting.parts.unseen };
  const run = await openFinishedRun(directory);
  const { own } = await measure(run, material, { ...work, only: ['own'] });
  if (!own) throw new TacetError('internal', `${directory}: the run was not measured`);
  const { f1, recall } = own.binaryToken;
  return {
    ...{ f1: f1.value, f1Interval: f1.interval },
    ...{ recall: recall.value, recallInterval: recall.interval },
  };
}
