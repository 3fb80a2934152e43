import type { Lock, Locker, RequestRelease } from '@tus/server';
import { TacetError } from '../../proto/errors.js';

/** As long as a request may take to write what it has and to give way. */
const PATIENCE_MS = 30_000;

interface Waiting {
  readonly giveWay: RequestRelease;
  readonly begin: () => void;
}

/**
 * Lets one request of this process be at work on an upload at a time. One that comes asks the one that is there to give way,
 * for its client has given that up, and waits its turn.
 */
export class UploadLocks implements Locker {
  /** Of each upload first who is at work on it. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(private readonly patienceMs = PATIENCE_MS) {}

  newLock(id: string): Lock {
    let own: Waiting | undefined;
    return {
      lock: async (signal, giveWay) => {
        own = await this.#turn(id, signal, giveWay);
      },
      unlock: async () => {
        if (own) this.#leave(id, own);
        own = undefined;
      },
    };
  }

  /** Throws `conflict` where the turn does not come in time. */
  async #turn(id: string, signal: AbortSignal, giveWay: RequestRelease): Promise<Waiting> {
    const queue = this.#queues.get(id) ?? [];
    this.#queues.set(id, queue);
    let end = (_hasCome: boolean) => {};
    const turn = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const own = { giveWay, begin: () => end(true) };
    const giveUp = () => end(false);
    const timer = setTimeout(giveUp, this.patienceMs);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    if (queue.push(own) === 1) own.begin();
    else void queue[0]?.giveWay();
    const hasCome = await turn;
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    if (hasCome) return own;
    this.#leave(id, own);
    throw new TacetError('conflict', 'another request is at work on this upload; try again');
  }

  #leave(id: string, own: Waiting): void {
    const queue = this.#queues.get(id) ?? [];
    const place = queue.indexOf(own);
    queue.splice(place, 1);
    if (queue.length === 0) this.#queues.delete(id);
    if (place !== 0) return;
    queue[0]?.begin();
    // Behind it somebody waits already, whose client has given it up.
    if (queue.length > 1) void queue[0]?.giveWay();
  }
}
