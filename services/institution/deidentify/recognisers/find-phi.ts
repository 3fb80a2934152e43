import {
  type ScoredSpan,
  type Tagger,
  type TagOptions,
  tagLong,
} from '../../../../models/networks/tagger.js';
import { withBound } from './age-bound.js';
import { LEAST_WITH_CONTEXT } from './context.js';
import { type Found, joinFindings } from './join-findings.js';
import { measurementsIn, withoutMeasurements } from './measurements.js';
import { chosenRecognisers, findPatterns, type PatternChoice } from './recognisers.js';
import { typeInScheme } from './scheme-types.js';
import { withWeekday } from './weekday.js';

export interface FindOptions extends TagOptions {
  /** Look for addresses, dates and numbers by their shape too, beside the model; all by default. */
  readonly patterns?: PatternChoice | undefined;
}

/**
 * The PHI of a text as the model and the recognisers find it, in order of `start`, none overlapping another.
 * A number whose shape many harmless numbers share counts only after a word that says what it is. Vital signs
 * with their numbers are none, unless nothing is looked for by its shape. A weekday beside a date is of it, and what makes an
 * age a bound, a guess or a range.
 */
export async function findPhi(
  text: string,
  tagger: Tagger,
  options: FindOptions = {},
): Promise<ScoredSpan[]> {
  const found: (ScoredSpan & { score: number; isByShape?: boolean })[] = [];
  const measurements = measurementsIn(text);
  const taken = options.patterns === false ? [] : measurements;
  for await (const span of tagLong(text, tagger, options))
    for (const piece of withoutMeasurements(span, text, taken))
      found.push({ ...piece, score: piece.confidence });
  for await (const span of byPattern(text, tagger, options)) found.push(span);
  return joined(found.map((each) => withBound(withWeekday(each, text, measurements), text)));
}

/** As the model alone finds it. */
export async function findByModel(
  text: string,
  tagger: Tagger,
  options: TagOptions = {},
): Promise<ScoredSpan[]> {
  const found: (ScoredSpan & { score: number })[] = [];
  for await (const span of tagLong(text, tagger, options))
    found.push({ ...span, score: span.confidence });
  return joined(found);
}

function joined(findings: readonly (ScoredSpan & Found)[]): ScoredSpan[] {
  return joinFindings(findings).map(({ start, end, score, speaker }) => ({
    type: speaker.type,
    start,
    end,
    confidence: score,
  }));
}

async function* byPattern(text: string, { scheme }: Tagger, { patterns, signal }: FindOptions) {
  const recognisers = chosenRecognisers(patterns);
  if (recognisers.length === 0) return;
  for await (const finding of findPatterns(text, recognisers, { signal })) {
    const { type, start, end, score } = finding;
    if (score < LEAST_WITH_CONTEXT) continue;
    const place = { type: typeInScheme(type, scheme), start, end };
    yield { ...place, confidence: score, score, isByShape: true };
  }
}
