import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { figureSvg } from '../../../models/charts/figure.js';
import { withStyle } from '../../../models/charts/series.js';
import type { NamedFigure } from '../../../study/report/figure-parts.js';
import { resultFigures } from '../../../study/report/figures.js';
import { type Row, rowsOf } from '../../../study/report/row.js';
import { runCurves } from '../../../study/report/run-curves.js';
import { collectRuns } from '../../../study/runs/collect.js';
import { type SampleRun, writeSampleRun } from '../runs/sample-runs.js';

const certified = (settings: object, neighbours = 100): SampleRun => ({
  ...{ name: `c-${JSON.stringify(settings)}-${neighbours}`.replaceAll(/\W/g, '-') },
  ...{ kind: 'certified', f1: 0.97, bound: 0.54 },
  config: { neighbours, certified: settings },
});

const ways = Array.from({ length: 11 }, (_, i) => certified({ tail: i / 10 }, [100, 500][i % 2]));
const RUNS: readonly SampleRun[] = [
  { name: 'raw', kind: 'raw', f1: 0.98 },
  { name: 'raw-plain', kind: 'raw', f1: 0.98, config: { deidentifier: { casing: false } } },
  { name: 'pseudo', kind: 'pseudonymized', f1: 0.96 },
  { name: 'copies', kind: 'augmented', f1: 0.97 },
  { name: 'dann', kind: 'dann', f1: 0.97, bound: 0.9 },
  { name: 'dann-late', kind: 'dann', f1: 0.9, bound: 0.9, config: { dann: { delayEpochs: 5 } } },
  { name: 'adv', kind: 'adversarial', f1: 0.97, bound: 0.9 },
  { name: 'adv-loud', kind: 'adversarial', f1: 0.9, bound: 0.6, config: { outputNoiseFactor: 4 } },
  certified({ lambda: 0.3 }),
  ...ways,
];

let folder = '';
let rows: readonly Row[] = [];
const figures = new Map<string, NamedFigure['figure']>();
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tacet-figures-'));
  for (const run of RUNS) await writeSampleRun(folder, run);
  rows = rowsOf((await collectRuns(folder)).runs);
  for (const { file, figure } of resultFigures(rows)) figures.set(file, figure);
});
afterAll(() => rm(folder, { recursive: true }));

/** Where the points of the lines of a figure stand, from left to right. */
const placesOf = (svg: string, count: number) =>
  [...svg.matchAll(/<polyline [^>]*points="([^"]*)"/g)]
    .slice(0, count)
    .map(([, points]) => points.split(' ').map((point) => Number(point.split(',')[0])));

const figureOf = (file: string, of: readonly Row[]) =>
  resultFigures(of).find((each) => each.file === file)?.figure;

const seriesOf = (file: string) => (figures.get(file)?.series ?? []).map(withStyle);
const namesOf = (file: string) => seriesOf(file).map(({ name }) => name);

describe('the figures', () => {
  test('give every entry of a legend a look of its own', () => {
    expect(figures.size).toBeGreaterThanOrEqual(5);
    for (const [file] of figures) {
      const looks = seriesOf(file)
        .filter(({ name }) => name !== '')
        .map(({ colour, marker, dashed, hollow }) => [file, colour, marker, dashed, hollow].join());
      expect([...new Set(looks)]).toEqual(looks);
    }
  });

  test('leave what is tried beside the plainest settings of a kind out of Figure 4', () => {
    expect(namesOf('figure-4')).toEqual([
      'non-private, with pseudonymised copies',
      'pseudonymised text',
      'DANN',
      'adversarial',
      'certified (lambda 0.1)',
      'certified (lambda 0.3)',
      'non-private',
      'non-private (casing false)',
    ]);
    expect(namesOf('frontier').join()).toContain('certified (tail 1), N = 100');
  });

  test('give each N of Figure 4 a column of its own, in which all of its points stand', () => {
    const more = rows.map((row) => ({ ...row, neighbours: row.neighbours === null ? null : 500 }));
    const figure = figureOf('figure-4', [...rows, ...more]);
    expect(figure?.x).toMatchObject({ columns: true, ticks: [100, 500] });
    const svg = figure ? figureSvg(figure) : '';
    const columns = [...svg.matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(
      ([, left, width]) => ({ left: Number(left), right: Number(left) + Number(width) }),
    );
    expect(columns).toHaveLength(2);
    const series = (figure?.series ?? []).map(withStyle).filter(({ marker }) => marker);
    const places = placesOf(svg, series.length);
    series.forEach(({ points }, i) => {
      points.forEach(([n], k) => {
        const { left, right } = columns[[100, 500].indexOf(n)];
        expect(places[i][k]).toBeGreaterThan(left);
        expect(places[i][k]).toBeLessThan(right);
      });
    });
    const atHundred = series.flatMap(({ points }, i) =>
      points.flatMap(([n], k) => (n === 100 ? [places[i][k]] : [])),
    );
    expect(new Set(atHundred).size).toBe(atHundred.length);
  });

  test('have room for the non-private F1 and the aims beside the points of the frontier', () => {
    const far = rows.map((row) => {
      const { ownF1, releasedF1, bound } = row.cells;
      if (row.kind === 'raw' && ownF1)
        return { ...row, cells: { ...row.cells, ownF1: { ...ownF1, value: 0.97 } } };
      if (!releasedF1 || !bound) return row;
      const cells = { releasedF1: { ...releasedF1, value: 0.8 }, bound: { ...bound, value: 0.52 } };
      return { ...row, cells };
    });
    const { x, y } = figureOf('frontier', far) ?? {};
    expect(x?.from).toBeLessThanOrEqual(0.8);
    expect(x?.to).toBeGreaterThanOrEqual(0.97);
    expect(y?.to).toBeGreaterThanOrEqual(0.55);
  });

  test('draw the crowd at the aims of the frontier once more, larger', () => {
    const good = rows.map((row) => {
      const { releasedF1 } = row.cells;
      if (row.kind !== 'certified' || !releasedF1) return row;
      return { ...row, cells: { ...row.cells, releasedF1: { ...releasedF1, value: 0.978 } } };
    });
    const { detail, x, y, series } = figureOf('frontier', good) ?? {};
    if (!detail || !x || !y) throw new Error('there is no detail');
    expect(detail.x.to - detail.x.from).toBeLessThan(x.to - x.from);
    expect(detail.y.to - detail.y.from).toBeLessThan(y.to - y.from);
    const inDetail = (series ?? []).flatMap(({ points }) =>
      points.filter(([f1, value]) => f1 >= detail.x.from && value <= detail.y.to),
    );
    expect(inDetail.length).toBeGreaterThanOrEqual(11);
  });

  test('say in the caption of Figure 4 what each kind was trained on', () => {
    const { caption = '' } = figures.get('figure-4') ?? {};
    expect(caption).toContain('and such copies, nothing is private');
    expect(caption).toContain('DANN, adversarial, certified: a new de-identifier');
    expect(caption).toContain('lambda: the price of');
    expect(caption).toContain('side by side in its column');
  });

  test('show the adversary at the freeze, hollow, beside what it became, whatever was varied', () => {
    const series = seriesOf('figure-5-adversarial').filter(({ points }) => points.length > 0);
    const [hollow, filled] = [true, false].map((wanted) =>
      series.filter((each) => each.marker && (each.hollow ?? false) === wanted),
    );
    expect(filled).toHaveLength(2);
    expect(hollow.map(({ colour }) => colour)).toEqual(filled.map(({ colour }) => colour));
    expect(namesOf('figure-5-adversarial')).toContain('the same at the freeze');
  });

  test('say of the curves of a run what its phases are', async () => {
    const [run] = (await collectRuns(path.join(folder, 'adv'))).runs;
    const { loss } = runCurves(run);
    expect(loss.caption).toContain('P1: representation and de-identifier together');
    expect(loss.caption).not.toContain('certified');
  });

  test('say for how long an adversary learned on, not for how long it might have', () => {
    const { caption } = figures.get('figure-5-adversarial') ?? {};
    expect(caption).toContain('for 12 epochs of at most 50');
  });
});
