import { percent } from '../platform/percent-text.js';
import type { Measurement } from './measurement.js';

const HEADER = [
  'bench',
  'case',
  'threads',
  'median ms',
  'spread',
  'rate',
  'bytes',
  'cycles',
  'of peak',
  'ratio',
];
const NUMERIC_FROM = 2;

/** The measurements as text in columns. */
export function table(measurements: readonly Measurement[]): string {
  const rows = [HEADER, ...measurements.map(cells)];
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((row) => cell(row, column).length)),
  );
  const line = (row: readonly string[]) =>
    row.map((text, column) => pad(text, widths[column] as number, column)).join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

function cells(measurement: Measurement): string[] {
  const { bench, name, threads, milliseconds, spread, rate, unit } = measurement;
  const { bytesRate, cycles, ofPeak, ratio } = measurement;
  return [
    bench,
    name,
    String(threads),
    milliseconds.toFixed(3),
    percent(spread, { digits: 0 }),
    `${rateText(rate)}${unit}`,
    bytesRate === undefined ? '' : `${rateText(bytesRate)}B/s`,
    cycles === undefined ? '' : cycles.toFixed(1),
    ofPeak === undefined ? '' : percent(ofPeak, { digits: 0 }),
    ratio === undefined ? '' : `${ratio.toFixed(2)} x`,
  ];
}

function cell(row: readonly string[], column: number): string {
  return row[column] ?? '';
}

function pad(text: string, width: number, column: number): string {
  return column < NUMERIC_FROM ? text.padEnd(width) : text.padStart(width);
}

function rateText(rate: number): string {
  if (rate >= 1e9) return `${(rate / 1e9).toFixed(1)} G`;
  return `${Math.round(rate).toLocaleString('en')} `;
}
