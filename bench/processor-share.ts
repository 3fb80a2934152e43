import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TacetError } from '../proto/errors.js';

const ROOT = '/sys/fs/cgroup';
/**
 * What is not used of one may be in the next. In a long one a server that holds what others wait for may be held up for long; in
 * a short one it finds its caches cold more often. `TACET_BENCH_PERIOD_MS=10` for another.
 */
const PERIOD_US = 1000 * Number(process.env.TACET_BENCH_PERIOD_MS ?? 50);

/**
 * A group of processes that get so much of one processor and no more, by Linux's control groups: servers that share the
 * processors of a machine are then like servers that have each their own, which is so many times slower. Whoever makes one
 * must be root. Throws `usage` where groups cannot be made.
 */
export class ProcessorShare {
  readonly #directory: string;

  constructor(name: string, processors: number) {
    const isFirstVersion = existsSync(join(ROOT, 'cpu/cgroup.procs'));
    this.#directory = join(ROOT, isFirstVersion ? 'cpu' : '', name);
    const quota = Math.round(processors * PERIOD_US);
    if (!(quota > 0))
      throw new TacetError(
        'usage',
        `TACET_BENCH_PROCESSORS and _PERIOD_MS: expected numbers over 0, got ${processors} and ${PERIOD_US / 1000}`,
      );
    try {
      mkdirSync(this.#directory);
      if (isFirstVersion) {
        this.#set('cpu.cfs_period_us', String(PERIOD_US));
        this.#set('cpu.cfs_quota_us', String(quota));
        this.#set('cpu.cfs_burst_us', String(quota));
      } else {
        this.#set('cpu.max', `${quota} ${PERIOD_US}`);
        this.#set('cpu.max.burst', String(quota));
      }
    } catch (cause) {
      const message = `no control group could be made in ${ROOT}; shares of a processor need Linux and root`;
      throw new TacetError('usage', message, { cause });
    }
  }

  hold(pid: number): void {
    this.#set('cgroup.procs', String(pid));
  }

  /** Once its processes have ended. */
  close(): void {
    rmdirSync(this.#directory);
  }

  #set(file: string, value: string): void {
    writeFileSync(join(this.#directory, file), value);
  }
}
