import type { Manifest } from './manifest.js';

type Scores = Manifest['scores'];

const DIGITS = 4;
const [FROM, TO] = [', 95 % interval from', ', 95 % interval to'];

/** A score and its 95 % interval, as the three numbers that a manifest has of it. */
export function statedScore(
  name: string,
  { value, interval }: { readonly value: number; readonly interval: readonly [number, number] },
): Scores {
  const [from, to] = interval;
  return { [name]: value, [name + FROM]: from, [name + TO]: to };
}

/** The scores for people: an interval stands beside its score. */
export function scoreTexts(scores: Scores): Record<string, string> {
  const ends = new Set(
    Object.keys(scores).flatMap((name) =>
      name + FROM in scores && name + TO in scores ? [name + FROM, name + TO] : [],
    ),
  );
  const names = Object.keys(scores).filter((name) => !ends.has(name));
  return Object.fromEntries(
    names.map((name) => {
      const [value, from, to] = [name, name + FROM, name + TO].map((key) =>
        roundScore(scores[key]),
      );
      return [name, ends.has(name + FROM) ? `${value} [${from}, ${to}]` : `${value}`];
    }),
  );
}

function roundScore(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Number(value.toPrecision(DIGITS));
}
