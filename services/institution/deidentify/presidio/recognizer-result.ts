/** One finding, with offsets in code points. */
export interface RecognizerResult {
  readonly analysis_explanation: Explanation | null;
  readonly end: number;
  readonly entity_type: string;
  readonly score: number;
  readonly start: number;
}

export interface Explanation {
  readonly recognizer: string;
  readonly pattern_name: string | null;
  readonly pattern: string | null;
  readonly original_score: number;
  readonly score: number;
  readonly textual_explanation: string | null;
  readonly score_context_improvement: number;
  readonly supportive_context_word: string;
  readonly validation_result: null;
}

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
