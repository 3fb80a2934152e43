import type { Evaluation } from '../../../models/evaluation/evaluate.js';
import { evaluateTagger } from '../../../models/evaluation/evaluate-tagger.js';
import type { Document } from '../../../models/text/document.js';
import {
  prepareNotes,
  type trainPseudonymised,
  type trainRaw,
} from '../../../models/training/recipes.js';
import { type DemoSetting, stageContext } from './setting.js';

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
  return { f1, f1Interval: intervals.f1, recall, recallInterval: intervals.recall };
}

export function meanScore(scores: readonly Scores[]): Scores {
  const mean = (pick: (each: Scores) => number) =>
    scores.reduce((sum, each) => sum + pick(each), 0) / scores.length;
  const [f1, recall] = [mean((each) => each.f1), mean((each) => each.recall)];
  return { f1, f1Interval: null, recall, recallInterval: null };
}

/** Trains a de-identifier on notes in clear, or moved, and scores it on the unseen ones as they are. */
export async function scoreBaseline(
  train: typeof trainRaw | typeof trainPseudonymised,
  notes: readonly Document[],
  setting: DemoSetting,
  run: string,
): Promise<Scores> {
  const { scheme, embeddings, config } = setting;
  const context = stageContext(setting, run);
  const prepared = prepareNotes(notes, scheme, embeddings, config, context);
  const { deidentifier } = await train(prepared, scheme, config, context);
  const tagger = { deidentifier, vocabulary: prepared.vocabulary, scheme };
  const { seed } = config;
  const { signal } = setting.context;
  const evaluation = await evaluateTagger(tagger, setting.parts.unseen, { seed, signal });
  const scores = scoresOf(evaluation);
  deidentifier.dispose();
  return scores;
}
