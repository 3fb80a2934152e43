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
  /** The rate over the machine's measured peak, where there is one. */
  readonly ofPeak?: number;
}

export type Bench = () => Promise<Measurement[]>;

/** One thing to time: what a run does is `work` units of `unit`. */
export interface Subject {
  readonly name: string;
  readonly work: number;
  readonly unit: string;
  readonly peak?: number;
  readonly run: () => void;
}

const WARM_UP_RUNS = 5;
const RUNS = 31;

/** Times the subjects in turns, so that a change of the machine's load meets all alike. */
export function measure(
  bench: string,
  threads: number,
  subjects: readonly Subject[],
): Measurement[] {
  const times = subjects.map(() => [] as number[]);
  for (let round = -WARM_UP_RUNS; round < RUNS; round++) {
    for (const [i, subject] of subjects.entries()) {
      const start = performance.now();
      subject.run();
      if (round >= 0) times[i]?.push(performance.now() - start);
    }
  }
  return subjects.map(({ name, work, unit, peak }, i) => {
    const sorted = (times[i] as number[]).sort((a, b) => a - b);
    const at = (quantile: number) => sorted[Math.floor(quantile * (RUNS - 1))] as number;
    const milliseconds = at(0.5);
    const rate = (work / milliseconds) * 1e3;
    const spread = (at(0.75) - at(0.25)) / milliseconds;
    const measured = { bench, name, threads, milliseconds, spread, rate, unit };
    return peak === undefined ? measured : { ...measured, ofPeak: rate / peak };
  });
}
