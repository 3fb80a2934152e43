import { setTimeout } from 'node:timers/promises';

/** One line of the result table. */
export interface Measurement {
  readonly bench: string;
  readonly name: string;
  readonly threads: number;
  /** Median over the runs. */
  readonly milliseconds: number;
  /** Interquartile range over the median. */
  readonly spread: number;
  readonly rate: number;
  readonly unit: string;
  /** What it must read and write, a second. */
  readonly bytesRate?: number;
  /** Cycles of one processor that a unit takes, all threads together. */
  readonly cycles?: number;
  /** The share of the machine's measured peak, where there is one. */
  readonly ofPeak?: number;
  /** How many times as fast as the fastest of the subjects that it is compared with. */
  readonly ratio?: number;
}

/** What is measured on: the notes of `corpus`, with its embeddings and label scheme, or invented ones. */
export interface BenchOptions {
  readonly corpus?: string | undefined;
  readonly embeddings?: string | undefined;
  readonly scheme?: string | undefined;
  /** The first of them alone. */
  readonly documents?: number | undefined;
  /** A Python that has PyTorch. */
  readonly python?: string | undefined;
}

/** Gives each row as soon as it is measured, so that a run that is cut short leaves what it has. */
export type Bench = (options: BenchOptions) => AsyncIterable<Measurement>;

/** One thing to time: what a run does is `work` units of `unit`. */
export interface Subject {
  readonly name: string;
  readonly threads: number;
  readonly work: number;
  readonly unit: string;
  /** Bytes that a run must read and write. */
  readonly bytes?: number;
  /** The subject of the same call that shows the machine's peak, and what of its unit a run does. */
  readonly peak?: Peak;
  /** The subject of the same call whose unit is a cycle. */
  readonly clock?: string;
  /** Names of subjects of the same call to be compared with. */
  readonly against?: readonly string[];
  /** One that runs elsewhere gives a promise of the milliseconds that it took itself. */
  readonly run: () => unknown;
}

export interface Peak {
  readonly subject: string;
  readonly work: number;
}

const WARM_UP_RUNS = 3;
const RUNS = 21;
/** After this time no turn begins, once there are a few. */
const PATIENCE_MS = 60_000;
const FEWEST_RUNS = 5;
/** Before each run, until the threads of the last have gone to sleep. */
const SETTLE_MS = 10;

/**
 * Times the subjects in turns, so that a change of the machine's load meets all alike. A ratio is
 * the median of the ratios of the turns.
 */
export async function measure(bench: string, subjects: readonly Subject[]): Promise<Measurement[]> {
  const times = subjects.map(() => [] as number[]);
  const end = performance.now() + PATIENCE_MS;
  for (let round = -WARM_UP_RUNS; round < RUNS; round++) {
    if (performance.now() > end && round >= FEWEST_RUNS) break;
    for (const [i, subject] of subjects.entries()) {
      const elapsed = await timeOf(subject);
      if (round >= 0) times[i]?.push(elapsed);
    }
  }
  const named = (name: string) => subjects.findIndex((other) => other.name === name);
  return subjects.map((subject, i) => {
    const { name, threads, work, unit, bytes, peak, clock, against } = subject;
    const own = times[i] as number[];
    const milliseconds = quantile(own, 0.5);
    const aSecond = (done: number) => (done / milliseconds) * 1e3;
    const spread = (quantile(own, 0.75) - quantile(own, 0.25)) / milliseconds;
    const peers = subjects.flatMap((other, j) => (against?.includes(other.name) ? [j] : []));
    const timeAWork = (j: number) => quantile(times[j] as number[], 0.5) / workOf(j);
    const workOf = (j: number) => (subjects[j] as Subject).work;
    /** Of the rate at which a run does `done`, over the rate of subject j. */
    const ratioTo = (j: number, done: number) =>
      (quantile(
        own.map((time, run) => (times[j]?.[run] as number) / time),
        0.5,
      ) *
        done) /
      workOf(j);
    const fastest = peers.sort((x, y) => timeAWork(x) - timeAWork(y))[0];
    return {
      ...{ bench, name, threads, milliseconds, spread, rate: aSecond(work), unit },
      ...(bytes !== undefined && { bytesRate: aSecond(bytes) }),
      ...(clock !== undefined && { cycles: threads / ratioTo(named(clock), work) }),
      ...(peak !== undefined && { ofPeak: ratioTo(named(peak.subject), peak.work) }),
      ...(fastest !== undefined && { ratio: ratioTo(fastest, work) }),
    };
  });
}

async function timeOf(subject: Subject): Promise<number> {
  await setTimeout(SETTLE_MS);
  // Twice, and the second counts: the first pays for what the last subject left behind.
  await subject.run();
  const start = performance.now();
  const result = subject.run();
  return result instanceof Promise ? ((await result) as number) : performance.now() - start;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}
