import { Type } from 'typebox';
import type { DocumentPair } from '../models/evaluation/document-counts.js';
import { type Evaluation, evaluate } from '../models/evaluation/evaluate.js';
import { evaluateTagger } from '../models/evaluation/evaluate-tagger.js';
import type { MeanScore } from '../models/evaluation/score.js';
import type { Tagger } from '../models/networks/tagger.js';
import type { Document } from '../models/text/document.js';
import type { StageContext } from '../models/training/stage-context.js';
import { NATURAL, SHARE } from '../proto/schemas.js';
import { closedObject, pairOf, type TypeOf } from '../proto/typed-schema.js';

export const MEASURED = closedObject({ value: SHARE, interval: pairOf(SHARE) });

/** A measured value with its 95 % interval. */
export type Measured = TypeOf<typeof MEASURED>;

const MEASURED_SCORE = closedObject({ precision: MEASURED, recall: MEASURED, f1: MEASURED });
export type MeasuredScore = TypeOf<typeof MEASURED_SCORE>;

export const DEIDENTIFIER_SCORES = closedObject({
  documents: NATURAL,
  tokens: NATURAL,
  /** Tokens, PHI or not. */
  binaryToken: MEASURED_SCORE,
  /**
   * Tokens of HIPAA's types, PHI or not, as the official i2b2 2014 evaluation counts them: what Friedrich et al. 2019
   * (section 6) report. Absent where it has no answer for a type that occurs, as for TAB's.
   */
  hipaaToken: Type.Optional(MEASURED_SCORE),
  /** Spans of equal offsets and equal type. */
  entity: MEASURED_SCORE,
});

/** How well PHI is found; intervals are bootstrapped over documents. */
export type DeidentifierScores = TypeOf<typeof DEIDENTIFIER_SCORES>;

const MEASURES = ['precision', 'recall', 'f1'] as const;

/** Equal for every run, so that all runs are resampled alike. */
const BOOTSTRAP_SEED = 1;

/** Scores what `tagger` finds in documents that nothing was trained on. */
export async function deidentifierScores(
  tagger: Tagger,
  documents: readonly Document[],
  work: Pick<StageContext, 'signal' | 'progress'>,
): Promise<DeidentifierScores> {
  return scoresFrom(await evaluateTagger(tagger, documents, { seed: BOOTSTRAP_SEED, ...work }));
}

/** The same of documents that were tagged already. */
export function scoresOfPairs(pairs: readonly DocumentPair[]): DeidentifierScores {
  return scoresFrom(evaluate(pairs, { seed: BOOTSTRAP_SEED }));
}

/** Tokens, PHI or not, between the header and the signature of documents that were tagged already. */
export function freeTextScore(pairs: readonly DocumentPair[]): MeasuredScore {
  const evaluation = evaluate(pairs, { seed: BOOTSTRAP_SEED });
  const { binary } = evaluation.regions.freeText.token;
  return measured(evaluation, binary, 'regions.freeText.token.binary');
}

function scoresFrom(evaluation: Evaluation): DeidentifierScores {
  const { documents, tokens, token, strict } = evaluation;
  const hipaa = evaluation.i2b2Token.hipaa?.binary;
  return {
    ...{ documents, tokens },
    binaryToken: measured(evaluation, token.binary, 'token.binary'),
    ...(hipaa && { hipaaToken: measured(evaluation, hipaa, 'i2b2Token.hipaa.binary') }),
    entity: measured(evaluation, strict.micro, 'strict.micro'),
  };
}

/** A score with the intervals that stand under its path. */
function measured(
  { headlineIntervals }: Evaluation,
  score: MeanScore,
  prefix: string,
): MeasuredScore {
  return Object.fromEntries(
    MEASURES.map((name) => {
      const interval = headlineIntervals[`${prefix}.${name}`] ?? [0, 1];
      return [name, { value: score[name], interval }];
    }),
  ) as unknown as MeasuredScore;
}
