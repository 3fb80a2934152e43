import type { DocumentPair } from '../../models/evaluation/document-counts.js';
import { type Evaluation, evaluate } from '../../models/evaluation/evaluate.js';
import { evaluateTagger } from '../../models/evaluation/evaluate-tagger.js';
import type { MeanScore } from '../../models/evaluation/score.js';
import type { Tagger } from '../../models/networks/tagger.js';
import type { Document } from '../../models/text/document.js';
import type { StageContext } from '../../models/training/run/stage-context.js';
import { NATURAL, SHARE } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, pairOf, type TypeOf } from '../../proto/typed-schema.js';

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

/**
 * How well PHI is found; intervals are over documents, those of one origin together (`scoreIntervals`), and of too few
 * from 0 to 1.
 */
export type DeidentifierScores = TypeOf<typeof DEIDENTIFIER_SCORES>;

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

/** All that such scores are taken from, of documents that were tagged already. */
export function evaluatedPairs(pairs: readonly DocumentPair[]): Evaluation {
  return evaluate(pairs, { seed: BOOTSTRAP_SEED });
}

/** Tokens, PHI or not, between header and signature. */
export function freeTextScore(evaluation: Evaluation): MeasuredScore {
  const { binary } = evaluation.regions.freeText.token;
  return measured(evaluation, binary, 'regions.freeText.token.binary');
}

export function scoresFrom(evaluation: Evaluation): DeidentifierScores {
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
  const of = (name: keyof MeanScore): Measured => {
    return { value: score[name], interval: headlineIntervals[`${prefix}.${name}`] ?? [0, 1] };
  };
  return { precision: of('precision'), recall: of('recall'), f1: of('f1') };
}
