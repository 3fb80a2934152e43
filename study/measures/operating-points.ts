import {
  curveIntervals,
  type JudgedToken,
  OperatingCurve,
  type OperatingPoint,
} from '../../models/evaluation/operating-curve.js';
import { scoreTokens, type Tagger } from '../../models/networks/tagger.js';
import { byOrigin } from '../../models/text/corpus/template-id.js';
import type { Document } from '../../models/text/document.js';
import type { StageContext } from '../../models/training/run/stage-context.js';
import {
  type DeidentifierScores,
  deidentifierScores,
  type Measured,
} from '../runs/deidentifier-scores.js';

/** What a de-identifier finds from a threshold on, recall with its interval over documents. */
export interface MeasuredPoint extends Omit<OperatingPoint, 'recall'> {
  readonly recall: Measured;
}

/** What a de-identifier finds by its most likely labels, and with thresholds. */
export interface OperatingPoints {
  readonly decoded: DeidentifierScores;
  /** One for each precision that was asked for; null where no threshold has it. */
  readonly points: readonly (MeasuredPoint | null)[];
}

/** What a de-identifier found in documents, and how likely each token is PHI to it. */
export interface Judged {
  readonly decoded: DeidentifierScores;
  readonly curve: OperatingCurve;
}

type Work = Pick<StageContext, 'signal' | 'progress'>;

/** Judges every token of documents that have the types of the tagger's scheme. */
export async function judge(
  tagger: Tagger,
  documents: readonly Document[],
  work: Work,
): Promise<Judged> {
  const decoded = await deidentifierScores(tagger, documents, work);
  const units: JudgedToken[][] = [];
  for (const alike of byOrigin(documents)) {
    const tokens: JudgedToken[] = [];
    for (const { text, spans, sentences } of alike) {
      const options = { sentences, signal: work.signal };
      for await (const { start, end, phi } of scoreTokens(text, tagger, options)) {
        const isPhi = spans.some((span) => span.start < end && start < span.end);
        tokens.push({ phi, isPhi });
      }
    }
    units.push(tokens);
  }
  return { decoded, curve: new OperatingCurve(units) };
}

/**
 * Scores what `tagger` finds in documents with the types of its scheme, and its recall of PHI tokens at each
 * of `precisions`. Their thresholds are those of these very documents: points of a curve, not a choice that
 * would hold elsewhere; each resample has a threshold of its own. Of a single document an interval is all from 0 to 1.
 */
export async function operatingPoints(
  tagger: Tagger,
  documents: readonly Document[],
  precisions: readonly number[],
  work: Work,
): Promise<OperatingPoints> {
  const { decoded, curve } = await judge(tagger, documents, work);
  const intervals = curveIntervals(curve.size, (weights) => curve.recalls(precisions, weights));
  const points = precisions.map((precision, i) => {
    const point = curve.at(precision);
    const interval = intervals[i] ?? ([0, 1] as const);
    return point ? { ...point, recall: { value: point.recall, interval } } : null;
  });
  return { decoded, points };
}
