import { nativeFunction } from '../models/tensor/addon.js';

/** Runs `body` with one thread and with all of them. */
export function forThreads<T>(body: (threads: number) => T[]): T[] {
  const all = nativeFunction('threadCount')() as number;
  const results = [...new Set([1, all])].flatMap((threads) => {
    nativeFunction('setThreadCount')(threads);
    return body(threads);
  });
  nativeFunction('setThreadCount')(all);
  return results;
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
