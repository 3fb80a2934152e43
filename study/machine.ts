import { cpus } from 'node:os';

/** Where something was measured: times mean nothing without it. */
export interface Machine {
  /** The processor as it names itself. */
  readonly cpu: string;
  readonly cores: number;
  /** Threads of one kernel, as TACET_THREADS says; null for one a core. */
  readonly threads: number | null;
  readonly node: string;
}

export function thisMachine(): Machine {
  const cores = cpus();
  const threads = process.env.TACET_THREADS;
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    threads: threads === undefined ? null : Number(threads),
    node: process.version,
  };
}
