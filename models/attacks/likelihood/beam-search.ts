/** One option for each place, and the score of all together. */
export interface Filling {
  /** Which option stands at each place. */
  readonly chosen: readonly number[];
  readonly score: number;
}

export interface BeamOptions {
  /** Fillings that are kept after each place. */
  readonly width: number;
  /** How often the search goes through all places. In a later sweep the other places are filled better. */
  readonly sweeps: number;
  /** Scores whole fillings; the higher, the likelier. */
  score(fillings: readonly (readonly number[])[]): ArrayLike<number>;
}

/**
 * Looks for the likeliest filling. At each place, every filling kept so far is tried with each option of
 * that place, and the best `width` of them are kept. Fillings are scored as a whole, since the vector of
 * each word depends on all words of the sentence.
 */
export function beamSearch(
  start: readonly number[],
  options: readonly (readonly number[])[],
  { width, sweeps, score }: BeamOptions,
): Filling {
  let beam: Filling[] = [{ chosen: start, score: Number.NEGATIVE_INFINITY }];
  const steps = Array.from({ length: sweeps }, () => options.keys()).flatMap((each) => [...each]);
  for (const place of steps) {
    const tried = new Map<string, readonly number[]>();
    for (const { chosen } of beam) {
      for (const option of new Set([chosen[place], ...options[place]])) {
        const next = chosen.with(place, option);
        tried.set(next.join(), next);
      }
    }
    const fillings = [...tried.values()];
    const scores = score(fillings);
    beam = fillings
      .map((chosen, i) => ({ chosen, score: scores[i] }))
      .sort((a, b) => b.score - a.score)
      .slice(0, width);
    if (options.length === 1) break;
  }
  return beam[0];
}
