import { LOSSES } from '../../models/bundle/curve-metrics.js';
import type { Figure } from '../../models/charts/figure.js';
import { percentAxis } from '../../models/charts/percent-axis.js';
import { CHANCE, flatLine } from '../../models/charts/reference-lines.js';
import { type Axis, COLOURS, type Series } from '../../models/charts/series.js';
import type { EpochRecord } from '../../models/training/run/metrics-file.js';
import { groupedBy } from '../../platform/grouped-by.js';
import type { CollectedRun } from '../runs/collect.js';

/** What is learned after the freeze, by what it is learned for. */
const AFTERWARDS = { released: 'on releases', adversary: 'adversary learns on' } as const;

/** Shares of right answers, and how a metric becomes one. */
const SHARES: Readonly<Record<string, readonly [name: string, share: (value: number) => number]>> =
  {
    accuracy: ['adversary, right answers on validation pairs', (value) => value],
    advantage: ['limit of every attack on validation pairs', (value) => (1 + value) / 2],
  };

/** What each phase trains, for people; several adversaries have a P2 each. */
const PHASES: Readonly<Record<string, string>> = {
  supervised: 'supervised: the de-identifier alone',
  P1: 'P1: representation and de-identifier together, without an adversary',
  P2: 'P2: the adversary alone, against the representation of P1',
  P3: 'P3: in turn the de-identifier and the adversary, and the representation against both (its loss: the de-identifier’s, and lambda times how far the adversary’s is from guessing)',
  dann: 'dann: all three networks at once, the gradient of the adversary reversed',
  certified:
    'certified: representation and de-identifier on the certified objective (the de-identifier’s loss, and lambda times the greatest advantage of any adversary)',
  adversary: 'adversary: the adversary alone, against the representation that came of it',
  [AFTERWARDS.released]:
    'on releases: a new de-identifier, on what the frozen representation released',
  [AFTERWARDS.adversary]:
    'adversary learns on: against the frozen representation (this and what is learned on releases serves measuring alone)',
};

const SMALLEST_LOSS = 1e-6;
const MOST_TICKS = 10;

/** An epoch and its place among all epochs. */
interface Point {
  readonly at: number;
  readonly record: EpochRecord;
}

/** The epochs of one stage; no line goes from one stage to another. */
type Stage = readonly Point[];

/** Losses, and where some were measured shares of right answers, over all epochs of a run. */
export function runCurves({ name, run, measuring }: CollectedRun): Record<string, Figure> {
  const stages = groupedBy(run.epochs, ({ stage }) => stage);
  for (const [folder, title] of Object.entries(AFTERWARDS)) {
    const epochs = measuring[folder as keyof typeof AFTERWARDS];
    if (epochs.length > 0) stages.set(title, [...epochs]);
  }
  let last = 0;
  const points = [...stages.values()].map(
    (epochs): Stage => epochs.map((record) => ({ at: ++last, record })),
  );
  if (last === 0) return {};
  const x = epochAxis(last);
  const parts = [...stages.keys()].map((name, i) => ({ from: points[i][0].at - 0.5, name }));
  const losses = points.flatMap(lossSeries);
  const shares = points.flatMap(shareSeries);
  const phases = `Vertical lines: where a phase begins. ${phasesText([...stages.keys()])}`;
  const curves: Record<string, Figure> = {
    loss: {
      title: `${name}: losses, epoch by epoch`,
      x,
      y: lossAxis(losses),
      series: losses,
      parts,
      caption: `Mean losses of an epoch in nats (logarithmic): in training (dashed) and on the validation notes (solid), by which training stops. ${phases}An adversary that guesses has a loss of log 2 = 0.69.`,
    },
  };
  if (shares.length > 0) {
    const series = [...shares, flatLine('chance', CHANCE, x)];
    curves.accuracy = {
      title: `${name}: how well pairs can be told apart, epoch by epoch`,
      x,
      y: percentAxis('right answers, per cent', series),
      series,
      parts,
      caption: `On the validation notes, half of the pairs real. ${phases}Only phases that measure it have a line.`,
    };
  }
  return curves;
}

function phasesText(stages: readonly string[]): string {
  const phases = [...new Set(stages.map((stage) => stage.replace(/^P2-\d+$/, 'P2')))];
  return phases
    .flatMap((phase) => PHASES[phase] ?? [])
    .map((text) => `${text}. `)
    .join('');
}

function lossSeries(stage: Stage): Series[] {
  return Object.entries(LOSSES).flatMap(([metric, name], i) =>
    (['validation', 'train'] as const).flatMap((part): Series[] => {
      const found = stage.flatMap(({ at, record }): [number, number][] => {
        const value = record[part][metric];
        return Number.isFinite(value) ? [[at, Math.max(value, SMALLEST_LOSS)]] : [];
      });
      if (found.length === 0) return [];
      const label = part === 'train' ? `${name}, training` : `${name}, validation`;
      return [{ name: label, points: found, dashed: part === 'train', colour: COLOURS[i] }];
    }),
  );
}

function shareSeries(stage: Stage): Series[] {
  return Object.entries(SHARES).flatMap(([metric, [name, share]], i): Series[] => {
    const found = stage.flatMap(({ at, record }): [number, number][] => {
      const value = record.validation[metric];
      return Number.isFinite(value) ? [[at, share(value)]] : [];
    });
    return found.length === 0
      ? []
      : [{ name, points: found, marker: 'circle', colour: COLOURS[i] }];
  });
}

function epochAxis(last: number): Axis {
  const step = [1, 2, 5, 10, 20, 50].find((each) => last / each <= MOST_TICKS) ?? 100;
  const ticks = Array.from({ length: Math.floor(last / step) }, (_, i) => (i + 1) * step);
  return { label: 'epochs since the start', from: 0.5, to: last + 0.5, ticks, text: String };
}

/** Whole powers of ten around all losses. */
function lossAxis(series: readonly Series[]): Axis {
  const values = series.flatMap(({ points }) => points.map(([, value]) => Math.log10(value)));
  const first = Math.floor(Math.min(...values));
  const last = Math.max(first + 1, Math.ceil(Math.max(...values)));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  return {
    label: 'loss, nats (logarithmic)',
    from: ticks[0],
    to: ticks[ticks.length - 1],
    ticks,
    log: true,
    text: (value) => String(Number(value.toPrecision(1))),
  };
}
