import { REFERENCE_LOOK } from './reference-lines.js';
import { COLOURS, type Series, shapedLook } from './series.js';

/** What a model is worth, and what an attacker gets right or the most that any can. */
export interface FrontierPoint {
  /** What tells the model from others of its series, e.g. `λ = 0.1`. */
  readonly label: string;
  /** How it was trained. */
  readonly series: string;
  /** N. */
  readonly neighbours: number;
  readonly f1: number;
  readonly f1Interval?: readonly [low: number, high: number] | null;
  readonly success: number;
  readonly successInterval: readonly [low: number, high: number] | null;
  readonly kind: 'attack' | 'bound';
}

const HOLLOW = { hollow: true, dashed: true } as const;

/** What the legend says of hollow points. */
export const STRONGEST_ATTACK: Series = {
  ...{ name: 'the strongest attack that was tried', points: [], ...REFERENCE_LOOK },
  ...HOLLOW,
};

/**
 * A curve over F1 for each way of training and N: a colour for the way, a marker for N. Where the
 * colours go round, they come with other markers. Limits are filled and the attacks beside them
 * hollow, without labels of their own; attacks that no limit stands beside are filled.
 */
export function frontierSeries(points: readonly FrontierPoint[]): Series[] {
  const sizes = [...new Set(points.map(({ neighbours }) => neighbours))].sort((a, b) => a - b);
  const ways = [...new Set(points.map(({ series }) => series))];
  return ways.flatMap((way, i) =>
    sizes.flatMap((size, k) => {
      const own = points.filter((each) => each.series === way && each.neighbours === size);
      const look = shapedLook(i, k + sizes.length * Math.floor(i / COLOURS.length));
      const [bounds, attacks] = (['bound', 'attack'] as const).map((kind) =>
        own.filter((each) => each.kind === kind),
      );
      const name = `${way}, N = ${size}`;
      if (bounds.length === 0) return curve(name, attacks, look);
      const unlabelled = attacks.map((attack) => ({ ...attack, label: '' }));
      return [...curve(name, bounds, look), ...curve('', unlabelled, { ...look, ...HOLLOW })];
    }),
  );
}

/** Points from left to right; no curve where there are none. */
function curve(name: string, points: readonly FrontierPoint[], look: Partial<Series>): Series[] {
  if (points.length === 0) return [];
  const sorted = [...points].sort((a, b) => a.f1 - b.f1);
  return [
    {
      name,
      points: sorted.map(({ f1, success }) => [f1, success]),
      intervals: sorted.map(
        ({ success, successInterval }) => successInterval ?? [success, success],
      ),
      ...(sorted.some(({ f1Interval }) => f1Interval) && {
        xIntervals: sorted.map(({ f1, f1Interval }) => f1Interval ?? [f1, f1]),
      }),
      labels: sorted.map(({ label }) => label),
      ...look,
    },
  ];
}
