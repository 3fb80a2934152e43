import { setTimeout as delay } from 'node:timers/promises';

const AGAIN_MS = 200;

/** What `look` finds once it finds something, undefined where that takes longer. */
export async function within<T>(
  look: () => Promise<T | false | undefined>,
  milliseconds = 40_000,
): Promise<T | undefined> {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await delay(AGAIN_MS);
  }
  return undefined;
}
