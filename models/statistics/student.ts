import { studentQuantile } from './student-quantile.js';

/** The 95 % interval of a mean over a few independent values, by Student's t. */
export function studentInterval(values: readonly number[]): readonly [number, number] {
  const degrees = values.length - 1;
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const half = studentQuantile(degrees, 0.95) * Math.sqrt(squares / degrees / values.length);
  return [mean - half, mean + half];
}
