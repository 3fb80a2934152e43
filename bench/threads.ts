import { nativeFunction } from '../models/tensor/addon.js';
import { type Measurement, measure, type Subject } from './measurement.js';

/** One thread and all of them. */
export function threadCounts(): number[] {
  return [...new Set([1, nativeFunction('threadCount')() as number])];
}

/** Measures the subjects that `of` gives with one thread, then with all of them. */
export async function forThreads(
  bench: string,
  of: () => Omit<Subject, 'threads'>[],
): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const threads of threadCounts()) {
    const before = nativeFunction('setThreadCount')(threads) as number;
    const subjects = of().map((subject) => ({ ...subject, threads }));
    results.push(...(await measure(bench, subjects)));
    nativeFunction('setThreadCount')(before);
  }
  return results;
}

/** The subject with one thread and with all of them, each named for it. */
export function withThreads(subject: Omit<Subject, 'threads'>): Subject[] {
  return threadCounts().map((threads) => ({
    ...subject,
    threads,
    run: () => {
      const before = nativeFunction('setThreadCount')(threads) as number;
      const elsewhere = subject.run();
      nativeFunction('setThreadCount')(before);
      return elsewhere;
    },
  }));
}

/** Multiply-adds a second, counted as two operations, of the threads in use: the best of some runs. */
export function peakRate(): number {
  const rounds = 5e6;
  let best = 0;
  for (let run = 0; run < 7; run++) {
    const start = performance.now();
    const operations = nativeFunction('peakMultiplyAdds')(rounds) as number;
    best = Math.max(best, operations / (performance.now() - start));
  }
  return best * 1e3;
}

/**
 * Bytes a second of the threads in use over three arrays of `bytes` together, two read and one
 * written: the best of some runs. Small ones stay in the caches, as those of an op of that size do.
 */
export function memoryRate(bytes: number): number {
  const [a, b, c] = [0, 1, 2].map(() => new Float32Array(Math.ceil(bytes / 12)).fill(1));
  const triad = nativeFunction('streamTriad');
  const passes = Math.ceil(2e7 / bytes);
  let best = 0;
  for (let run = 0; run < 15; run++) {
    const start = performance.now();
    for (let pass = 0; pass < passes; pass++)
      triad(a as Float32Array, b as Float32Array, c as Float32Array);
    best = Math.max(best, (passes * bytes) / (performance.now() - start));
  }
  return best * 1e3;
}
