import { NATURAL } from '../../../../proto/schemas.js';
import { Type } from '../../../../proto/typebox.js';
import { closedObject, nullable, ofType, type TypeOf } from '../../../../proto/typed-schema.js';

const EXPLANATION = closedObject(
  {
    recognizer: Type.String(),
    pattern_name: nullable(Type.String()),
    pattern: nullable(Type.String()),
    original_score: Type.Number(),
    score: Type.Number(),
    textual_explanation: nullable(Type.String()),
    score_context_improvement: Type.Number(),
    supportive_context_word: Type.String(),
    validation_result: ofType('null'),
  },
  { title: 'Explanation' },
);

export type Explanation = TypeOf<typeof EXPLANATION>;

export const RECOGNIZER_RESULT = closedObject(
  {
    analysis_explanation: nullable(EXPLANATION),
    end: NATURAL,
    entity_type: Type.String(),
    score: Type.Number(),
    start: NATURAL,
  },
  { title: 'RecognizerResult' },
);

/** One finding, with offsets in code points. */
export type RecognizerResult = TypeOf<typeof RECOGNIZER_RESULT>;

/** In order of score, without those that lie within another of their type that is as sure or surer. */
export function withoutDuplicates(results: readonly RecognizerResult[]): RecognizerResult[] {
  const surest = [...results].sort(
    (a, b) => b.score - a.score || a.start - b.start || b.end - b.start - (a.end - a.start),
  );
  const starts = [...new Set(results.map(({ start }) => start))].sort((a, b) => a - b);
  const placeOf = new Map(starts.map((start, place) => [start, place + 1]));
  const reachedBy = new Map<string, Uint32Array>();
  return surest.filter(({ entity_type, start, end }) => {
    const reached = reachedBy.get(entity_type) ?? new Uint32Array(starts.length + 1);
    reachedBy.set(entity_type, reached);
    const place = placeOf.get(start) ?? 0;
    // A Fenwick tree: the furthest end of what begins at `place` or before.
    let furthest = 0;
    for (let i = place; i > 0; i -= i & -i) furthest = Math.max(furthest, reached[i] as number);
    if (furthest >= end) return false;
    for (let i = place; i < reached.length; i += i & -i)
      reached[i] = Math.max(reached[i] as number, end);
    return true;
  });
}
