import {
  type JudgedToken,
  type OperatingPoint,
  recallAtPrecision,
} from '../models/evaluation/recall-at-precision.js';
import { scoreTokens, type Tagger } from '../models/networks/tagger.js';
import type { Document } from '../models/text/document.js';
import type { StageContext } from '../models/training/stage-context.js';
import { type DeidentifierScores, deidentifierScores } from './deidentifier-scores.js';

/** What a de-identifier finds by its most likely labels, and with thresholds. */
export interface OperatingPoints {
  readonly decoded: DeidentifierScores;
  /** One for each precision that was asked for; null where no threshold has it. */
  readonly points: readonly (OperatingPoint | null)[];
}

/**
 * Scores what `tagger` finds in documents with the types of its scheme, and its recall of PHI tokens at each
 * of `precisions`. Their thresholds are those of these very documents: points of a curve, not a choice that
 * would hold elsewhere.
 */
export async function operatingPoints(
  tagger: Tagger,
  documents: readonly Document[],
  precisions: readonly number[],
  work: Pick<StageContext, 'signal' | 'progress'>,
): Promise<OperatingPoints> {
  const decoded = await deidentifierScores(tagger, documents, work);
  const tokens: JudgedToken[] = [];
  for (const { text, spans } of documents) {
    for await (const { start, end, phi } of scoreTokens(text, tagger, work.signal)) {
      const isPhi = spans.some((span) => span.start < end && start < span.end);
      tokens.push({ phi, isPhi });
    }
  }
  const points = precisions.map((precision) => recallAtPrecision(tokens, precision) ?? null);
  return { decoded, points };
}
