import { meanOf } from '../../models/statistics/mean-of.js';
import { studentInterval } from '../../models/statistics/student.js';
import type { Measured } from '../runs/deidentifier-scores.js';

/** A mean over the runs of a row. */
export interface Cell {
  readonly value: number;
  /** 95 %; null where a run says nothing of how far its own value is off. */
  readonly interval: readonly [low: number, high: number] | null;
  /** The least and the most of several seeds, where there is no interval. */
  readonly range?: readonly [least: number, most: number];
  /** Runs that the value is a mean over. */
  readonly runs: number;
}

/** What one run has found. */
export interface Found extends Omit<Measured, 'interval'> {
  /** Null where one run alone says nothing of it. */
  readonly interval: Measured['interval'] | null;
}

/**
 * One run has its interval over documents. That of a mean over seeds has the luck of the seeds, by
 * Student's t, and that of the documents, which all seeds share, each as far as it goes: the root of
 * the sum of their squares. Two seeds are too few for that, and have what the intervals of both span.
 * Without intervals over documents there is none over seeds, which would be taken for one over both.
 */
export function cellOf(found: readonly Found[]): Cell {
  const { interval, ...cell } = differenceOf(found);
  return { ...cell, interval: interval && within(interval) };
}

/** The same of values that may be below 0, such as what one configuration has over another with the same seed. */
export function differenceOf(found: readonly Found[]): Cell {
  const values = found.map(({ value }) => value);
  const value = meanOf(values);
  const runs = found.length;
  if (runs === 1) return { value, interval: found[0].interval, runs };
  const own = found.flatMap(({ interval }) => (interval ? [interval] : []));
  if (own.length < runs) {
    return { value, interval: null, range: [Math.min(...values), Math.max(...values)], runs };
  }
  if (runs === 2) {
    const [lows, highs] = [own.map(([low]) => low), own.map(([, high]) => high)];
    return { value, interval: [Math.min(...lows), Math.max(...highs)], runs };
  }
  const [low, high] = studentInterval(values);
  const below = Math.hypot(value - low, meanOf(own.map(([end], i) => values[i] - end)));
  const above = Math.hypot(high - value, meanOf(own.map(([, end], i) => end - values[i])));
  return { value, interval: [value - below, value + above], runs };
}

function within([low, high]: readonly [number, number]): readonly [number, number] {
  return [Math.max(0, low), Math.min(1, high)];
}
