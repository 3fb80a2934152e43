import type { VNode } from 'preact';
import { LineChart } from '../../charts/line-chart.js';
import type { Axis, Series } from '../../charts/series.js';
import type { AttackReport, Curve } from '../attack.js';
import type { AuditReport } from './audit-report.js';

const whole = (value: number) => `${Math.round(100 * value)} %`;

const SUCCESS: Axis = {
  label: 'right answers',
  from: 0,
  to: 1,
  ticks: [0, 0.25, 0.5, 0.75, 1],
  text: whole,
};
const RELEASES: Axis = {
  label: 'releases of one sentence that the attacker averages',
  from: 1,
  to: 64,
  ticks: [1, 2, 4, 8, 16, 32, 64],
  log: true,
  text: String,
};
const RATE: Omit<Axis, 'label'> = {
  from: 0.001,
  to: 1,
  ticks: [0.001, 0.01, 0.1, 1],
  log: true,
  text: (value) => `${100 * value} %`,
};

const MOST_SERIES = 6;

/** Nobody can know more than these: they are in every chart of pairs. */
const ALWAYS = ['known-noise-twins', 'known-noise-pair'];

/** The curves of an audit: success over releases, notes and epochs, and ROC curves on log axes. */
export function auditCharts({ attacks, baselines, certified }: AuditReport): VNode[] {
  const naming = attacks.filter(({ task }) => task === 'name the word');
  const telling = alwaysFirst(attacks.filter(({ task }) => task === 'tell a pair apart'));
  const bound = certified.releases.map((each) => [each.releases, each.bound] as const);
  const priors = baselines.filter(({ name }) => name === 'known-noise-sequence-prior-alone');
  return [
    ...chart('Naming a hidden word, by releases', RELEASES, curvesOver('releases', naming)),
    ...chart('Telling pairs apart, by releases', RELEASES, curvesOver('releases', telling, bound)),
    ...rocChart(alwaysFirst(attacks)),
    ...notesChart([...attacks, ...priors]),
    ...epochChart('Learned adversaries on notes they have not seen', 'epochs', telling),
    ...epochChart('The same on the notes they learn from', 'epochs on its own notes', telling),
  ];
}

function alwaysFirst(attacks: readonly AttackReport[]): AttackReport[] {
  const isAlways = ({ name }: AttackReport) => ALWAYS.includes(name);
  return [...attacks.filter(isAlways), ...attacks.filter((attack) => !isAlways(attack))];
}

function notesChart(attacks: readonly AttackReport[]): VNode[] {
  const series = curvesOver('notes', attacks).filter(({ dashed }) => !dashed);
  const sizes = [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))];
  if (sizes.length === 0) return [];
  const ticks = sizes.sort((a, b) => a - b);
  const notes: Axis = {
    label: 'labelled notes that the attacker learns from',
    from: ticks[0],
    to: ticks[ticks.length - 1],
    ticks,
    log: true,
    text: String,
  };
  return chart('More notes for the attacker', notes, series);
}

function chart(title: string, x: Axis, series: readonly Series[]): VNode[] {
  return series.length === 0 ? [] : [<LineChart title={title} x={x} y={SUCCESS} series={series} />];
}

/** The attacks' curves and their limit: by default what the first of them states of its own trials. */
function curvesOver(
  kind: Curve['over'],
  attacks: readonly AttackReport[],
  bound?: Series['points'],
): Series[] {
  const all = attacks.flatMap(({ name, curves }) => {
    const curve = curves.find((each) => each.over === kind);
    return curve && curve.points.length > 1 ? [{ name, points: curve.points }] : [];
  });
  const curves = all.slice(0, MOST_SERIES);
  const stated = curves[0]?.points.flatMap(({ at, limit }) =>
    limit === null ? [] : [[at, limit] as const],
  );
  const limits = stated && stated.length > 0 ? (bound ?? stated) : [];
  return [
    ...curves.map(({ name, points }) => ({
      name,
      points: points.map(({ at, success }) => [at, success] as const),
      ...((kind === 'releases' || kind === 'notes') && {
        intervals: points.map(({ interval }) => interval),
      }),
    })),
    ...(limits.length > 0 ? [{ name: 'limit of every attack', points: limits, dashed: true }] : []),
  ];
}

function rocChart(attacks: readonly AttackReport[]): VNode[] {
  const series = attacks.flatMap(({ name, pairs }) =>
    pairs ? [{ name, points: pairs.roc.filter(([x]) => x > 0) }] : [],
  );
  if (series.length === 0) return [];
  const diagonal = { name: 'guessing', points: [0.001, 1].map((x) => [x, x] as const) };
  return [
    <LineChart
      title="Real pairs found against false alarms (both axes logarithmic)"
      x={{ ...RATE, label: 'fake pairs that are called real' }}
      y={{ ...RATE, label: 'real pairs that are found' }}
      series={[...series.slice(0, MOST_SERIES), { ...diagonal, dashed: true }]}
    />,
  ];
}

function epochChart(title: string, kind: Curve['over'], attacks: readonly AttackReport[]): VNode[] {
  const series = curvesOver(kind, attacks).filter(({ dashed }) => !dashed);
  const last = Math.max(1, ...series.flatMap(({ points }) => points.map(([x]) => x)));
  const step = Math.max(1, Math.ceil(last / 6));
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  const epochs = { label: 'epochs of learning', from: 0, to: last, ticks, text: String };
  return chart(title, epochs, series);
}
