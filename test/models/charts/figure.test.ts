import { describe, expect, test } from '@jest/globals';
import { type Figure, figureSvg } from '../../../models/charts/figure.js';
import { pngOf } from '../../../models/charts/png.js';

const per = { from: 0, to: 10, ticks: [0, 5, 10], text: (value: number) => `tick ${value}` };

const REFERENCE = [
  [0, 5],
  [10, 5],
] as const;

const figure: Figure = {
  title: 'Loss & gain <of> something',
  x: { ...per, label: 'epochs' },
  y: { ...per, label: 'loss, nats' },
  series: [
    { name: 'measured', points: [[1, 2]], intervals: [[1, 3]], marker: 'circle' },
    { name: 'reference', points: REFERENCE, dashed: true },
    { name: '', points: [[3, 4]], marker: 'diamond', hollow: true },
  ],
  caption: 'A caption that says what a reader must know. '.repeat(6),
};

/** Width and height stand at bytes 16 and 20 of a PNG's first chunk. */
const sizeOf = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

describe('a figure', () => {
  test('says in itself what it shows: title, axes with units, ticks, legend, caption', () => {
    const svg = figureSvg(figure);
    for (const text of ['epochs', 'loss, nats', 'tick 5', 'measured', 'reference', 'A caption'])
      expect(svg).toContain(text);
    expect(svg).toContain('Loss &amp; gain &lt;of> something');
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  test('breaks a long caption into lines', () => {
    const captions = figureSvg(figure).match(/<text[^>]*>[^<]*must know[^<]*</g) ?? [];
    expect(captions.length).toBeGreaterThan(1);
  });

  test('has one entry in its legend for all series of one name', () => {
    const twice = { ...figure, series: [...figure.series, figure.series[0]] };
    expect(figureSvg(twice).match(/>measured</g)).toHaveLength(1);
  });

  test('puts values of a logarithmic axis where their logarithms are', () => {
    const log = { ...per, from: 1, to: 100, ticks: [1, 10, 100], log: true, label: 'N' };
    const svg = figureSvg({ ...figure, x: log });
    const [one, ten, hundred] = ['1', '10', '100'].map((tick) => {
      const found = new RegExp(`<text x="([\\d.]+)"[^>]*middle">tick ${tick}<`).exec(svg);
      return Number(found?.[1]);
    });
    expect(ten - one).toBeCloseTo(hundred - ten, 0);
  });

  test('gives each tick of an axis of columns a column, and points of one tick places in it', () => {
    const columns = { ...per, from: 0, to: 1001, ticks: [1, 100, 1000], columns: true, label: 'N' };
    const look = { points: [[100, 5]], intervals: [[4, 6]], marker: 'circle' } as const;
    const series = ['#111', '#222', '#333'].map((colour) => ({ name: colour, colour, ...look }));
    const svg = figureSvg({ ...figure, x: columns, series });
    const middle = Number(/<text x="([\d.]+)"[^>]*middle">tick 100</.exec(svg)?.[1]);
    const places = [...svg.matchAll(/points="([\d.]+),/g)].map(([, x]) => Number(x));
    expect(new Set(places).size).toBe(3);
    expect(places.reduce((sum, x) => sum + x, 0) / 3).toBeCloseTo(middle, 0);
    for (const x of places) expect(Math.abs(x - middle)).toBeLessThan(670 / 6);
  });

  test('draws a detail below with its own ticks, cut off at its edges, and frames its place', () => {
    const detail = { x: { ...figure.x, from: 0, to: 2 }, y: { ...figure.y, from: 1, to: 3 } };
    const near = { name: 'near', points: [[1, 2]], labels: ['once'], marker: 'circle' } as const;
    const svg = figureSvg({ ...figure, series: [...figure.series, near], detail });
    expect(svg).toContain('The framed part, larger');
    expect(svg.match(/>once</g)).toHaveLength(1);
    expect(svg.indexOf('>once<')).toBeGreaterThan(svg.indexOf('<svg x='));
    expect(figureSvg(figure)).not.toContain('The framed part');
  });

  test('is drawn with its text, whatever fonts the machine has', () => {
    const png = pngOf(figureSvg(figure));
    const [width, height] = sizeOf(png);
    expect(width).toBe(1520);
    expect(height).toBeGreaterThan(600);
    const wordless = pngOf(figureSvg({ ...figure, title: ' ', caption: ' ' }));
    expect(png.length).toBeGreaterThan(wordless.length + 2000);
  });
});
