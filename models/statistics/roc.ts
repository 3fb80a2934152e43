/** How an attacker scored one pair; the higher, the surer that it is real. */
export interface ScoredPair {
  readonly documentIndex: number;
  /** Log-odds that the pair is real; the attacker calls it real from 0 up. */
  readonly score: number;
  readonly real: boolean;
  /** The score of a like attacker without the vectors, where there is one. */
  readonly blind?: number;
}

/** Fakes called real, and reals called real, at one threshold. */
export type RocPoint = readonly [falsePositiveRate: number, truePositiveRate: number];

/** Every step of the ROC curve, from (0, 0) to (1, 1). */
export function rocCurve(pairs: readonly ScoredPair[]): RocPoint[] {
  const sorted = [...pairs].sort((a, b) => b.score - a.score);
  const reals = sorted.filter(({ real }) => real).length;
  const fakes = sorted.length - reals;
  const points: RocPoint[] = [[0, 0]];
  let falsePositives = 0;
  let truePositives = 0;
  sorted.forEach(({ score, real }, i) => {
    if (real) truePositives += 1;
    else falsePositives += 1;
    const last = i + 1 === sorted.length || sorted[i + 1].score !== score;
    if (last) points.push([falsePositives / fakes, truePositives / reals]);
  });
  return points;
}

/** The area under the ROC curve: the chance that a real pair scores above a fake one, ties half. */
export function areaUnder(points: readonly RocPoint[]): number {
  let area = 0;
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i];
    const [before, below] = points[i - 1];
    area += ((x - before) * (y + below)) / 2;
  }
  return area;
}

/** The greatest share of reals that is found while at most `rate` of the fakes are called real. */
export function truePositivesAt(points: readonly RocPoint[], rate: number): number {
  return Math.max(...points.filter(([x]) => x <= rate).map(([, y]) => y));
}

const POINTS = 60;

/** Some points for a plot with a logarithmic axis: evenly spread in the logarithm, and the ends. */
export function thinnedRoc(points: readonly RocPoint[]): RocPoint[] {
  if (points.length <= POINTS) return [...points];
  const kept = new Map<number, RocPoint>();
  points.forEach((point) => {
    const place = point[0] === 0 ? -1 : Math.round(POINTS * (1 + Math.log10(point[0]) / 4));
    kept.set(place, point);
  });
  return [points[0], ...kept.values()].map(([x, y]) => [roundRate(x), roundRate(y)]);
}

function roundRate(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
