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
