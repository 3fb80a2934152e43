import { nativeFunction } from '../models/tensor/addon.js';
import { type Measurement, measure, type Subject } from './measurement.js';

/** One thread, two, and all of them. */
export function threadCounts(): number[] {
  const all = nativeFunction('threadCount')();
  return [...new Set([1, Math.min(2, all), all])];
}

/** Measures the subjects that `of` gives with each number of threads. */
export async function* forThreads(
  bench: string,
  of: () => Omit<Subject, 'threads'>[],
): AsyncGenerator<Measurement> {
  for (const threads of threadCounts()) {
    const before = nativeFunction('setThreadCount')(threads);
    const subjects = of().map((subject) => ({ ...subject, threads }));
    yield* await measure(bench, subjects);
    nativeFunction('setThreadCount')(before);
  }
}

/** The subject with each number of threads. */
export function withThreads(subject: Omit<Subject, 'threads'>): Subject[] {
  return threadCounts().map((threads) => ({
    ...subject,
    threads,
    run: () => {
      const before = nativeFunction('setThreadCount')(threads);
      const elsewhere = subject.run();
      nativeFunction('setThreadCount')(before);
      return elsewhere;
    },
  }));
}

/** Independent multiply-adds in registers, counted as two operations each, of the threads in use. */
export function peakSubject(): Omit<Subject, 'threads'> {
  const multiplyAdds = nativeFunction('peakMultiplyAdds');
  const work = multiplyAdds(PEAK_ROUNDS);
  const run = () => void multiplyAdds(PEAK_ROUNDS);
  return { name: PEAK, work, unit: 'FLOP/s', run };
}

/** The same with each number of threads, named by `peakName`. */
export function peakSubjects(): Subject[] {
  return threadCounts().map((threads) => {
    const before = nativeFunction('setThreadCount')(threads);
    const { run, ...peak } = peakSubject();
    nativeFunction('setThreadCount')(before);
    const [subject] = withThreads({ ...peak, run }).filter((each) => each.threads === threads);
    return { ...(subject as Subject), name: peakName(threads) };
  });
}

export function peakName(threads: number): string {
  return `${PEAK}, ${threads}`;
}

export const PEAK = 'multiply-adds in registers';
const PEAK_ROUNDS = 500_000;

/** Additions of which each waits for the last: one a cycle, on one thread. */
export function clockSubject(): Omit<Subject, 'threads'> {
  const work = 4e6;
  const add = nativeFunction('dependentAdditions');
  return { name: CLOCK, work, unit: '/s', run: () => void add(work) };
}

export const CLOCK = 'dependent additions';

/**
 * The threads in use over three arrays of `bytes` together, two read and one written. Small ones stay
 * in the caches, as those of an op of that size do.
 */
export function memorySubject(bytes: number): Omit<Subject, 'threads'> {
  const [a, b, c] = [0, 1, 2].map(() => new Float32Array(Math.ceil(bytes / 12)).fill(1)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const triad = nativeFunction('streamTriad');
  const passes = Math.ceil(MEMORY_BYTES / bytes);
  const run = () => {
    for (let pass = 0; pass < passes; pass++) triad(a, b, c);
  };
  return { name: memoryName(bytes), work: passes * bytes, unit: 'B/s', run };
}

export function memoryName(bytes: number): string {
  return `memory, ${(bytes / 1e6).toFixed(1)} MB`;
}

const MEMORY_BYTES = 2e7;
