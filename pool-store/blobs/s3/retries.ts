import { setTimeout as delay } from 'node:timers/promises';

export interface RetryPolicy {
  readonly attempts: number;
  /** Before the second attempt; doubled before each one after it, less up to a half by chance. */
  readonly firstDelayMs: number;
  /** No attempt begins after this. */
  readonly patienceMs: number;
}

export const RETRIES: RetryPolicy = { attempts: 6, firstDelayMs: 100, patienceMs: 30_000 };

/** What `work` returns, tried again while what it throws is passing. */
export async function retried<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
  { attempts, firstDelayMs, patienceMs }: RetryPolicy = RETRIES,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const wait = firstDelayMs * 2 ** (attempt - 1) * (1 - Math.random() / 2);
      if (attempt === attempts || !isPassing(error) || performance.now() + wait > end) throw error;
      await delay(wait);
    }
  }
}
