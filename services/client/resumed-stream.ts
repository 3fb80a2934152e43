import { setTimeout as delay } from 'node:timers/promises';
import { TacetError } from '../../proto/errors.js';

/** An answer to a request for the bytes from `start` on. */
export interface StreamPart {
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** In place of reading it. */
  readonly cancel: () => Promise<void>;
  readonly entityTag: string | null;
  /** 206 where it begins at `start`, 200 where it is the whole. */
  readonly status: number;
}

/** Counted anew after every byte of progress; long enough for a server to be restarted. */
const RETRY_DELAYS_MS = [100, 300, 1000, 3000, 5000];
const PASSING = new Set(['server-failed', 'server-unreachable']);

/**
 * The bytes of a stream that may break off and be asked for again from where it broke. Throws
 * `server-failed` where the server is gone for longer, and `conflict` where it cannot go on with this stream.
 */
export async function* resumedStream(
  ask: (start: number, entityTag: string | null) => Promise<StreamPart>,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let entityTag: string | null = null;
  for (let failures = 0; ; failures++) {
    try {
      const part = await ask(received, entityTag);
      if (received > 0 && part.status !== 206) {
        await part.cancel();
        throw new TacetError('conflict', 'the server cannot go on with a stream that broke off');
      }
      entityTag = part.entityTag;
      for await (const chunk of part.bytes()) {
        received += chunk.length;
        failures = 0;
        yield chunk;
      }
      return;
    } catch (error) {
      const waitMs = RETRY_DELAYS_MS[failures];
      if (!(error instanceof TacetError) || !PASSING.has(error.code)) throw error;
      // Before the first byte the failure is the answer.
      if (waitMs === undefined || received === 0) throw error;
      await delay(waitMs);
    }
  }
}
