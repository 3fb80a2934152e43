/** Words for all places, and their score. */
export interface Filling {
  /** Which option stands at each place. */
  readonly chosen: readonly number[];
  readonly score: number;
}

export interface BeamOptions {
  /** Fillings that are kept after each place. */
  readonly width: number;
  /** How often all places are gone through; later ones see the whole sentence filled well. */
  readonly sweeps: number;
  /** Scores whole fillings; the higher, the likelier. */
  score(fillings: readonly (readonly number[])[]): ArrayLike<number>;
}

/**
 * Looks for the likeliest filling: place by place, every kept filling is tried with each of that
 * place's options, and the best `width` of all are kept. Every filling is scored as a whole, since
 * each word's vector depends on all words.
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
