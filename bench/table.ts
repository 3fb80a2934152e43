import { percent } from '../platform/percent-text.js';
import type { Measurement } from './measurement.js';

/** Of the columns, in characters; a longer cell moves what stands after it. */
const COLUMNS: readonly (readonly [header: string, width: number])[] = [
  ['bench', 13],
  ['case', 58],
  ['threads', 7],
  ['median ms', 12],
  ['spread', 6],
  ['rate', 20],
  ['bytes', 10],
  ['cycles', 7],
  ['of peak', 7],
  ['ratio', 8],
];
const NUMERIC_FROM = 2;

/** The names of the columns. */
export function heading(): string {
  return line(COLUMNS.map(([header]) => header));
}

/** A measurement below them. */
export function rowText(measurement: Measurement): string {
  return line(cells(measurement));
}

function line(row: readonly string[]): string {
  const padded = COLUMNS.map(([, width], column) => {
    const text = row[column] ?? '';
    return column < NUMERIC_FROM ? text.padEnd(width) : text.padStart(width);
  });
  return padded.join('  ').trimEnd();
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

function rateText(rate: number): string {
  if (rate >= 1e9) return `${(rate / 1e9).toFixed(1)} G`;
  return `${Math.round(rate).toLocaleString('en')} `;
}
