import { setTimeout as delay } from 'node:timers/promises';
import type { Contribution } from '../../pool-store/contributions/contribution-records.js';
import type { Snapshot } from '../../pool-store/snapshots/snapshot.js';
import { ServiceClient } from '../../services/client/client.js';
import { RawUpload } from '../services/raw-upload.js';
import { contributionOf, segmentOf, sha256, type World } from '../services/world.js';

/** What a pool promised: only what it answered with success is here. */
export interface Promises {
  /** Digest of the one segment, by contribution. */
  readonly contributions: Map<string, string>;
  readonly withdrawn: Set<string>;
  /** Asked to withdraw; the answer may have been lost with the server. */
  readonly withdrawalsBegun: Set<string>;
  readonly snapshots: Map<string, readonly string[]>;
}

/** A segment on its way into the pool, as far as its client knows. */
interface Giving {
  readonly segment: Uint8Array;
  upload?: RawUpload;
}

/** The pool is kept at this many contributions, so that a round costs the same in the end. */
const KEPT = 8;

/** Works on a pool with every kind of change at once, and remembers what was promised. */
export class PoolDriver {
  readonly promises: Promises = {
    contributions: new Map(),
    withdrawn: new Set(),
    withdrawalsBegun: new Set(),
    snapshots: new Map(),
  };
  #seed = 0;
  /** What a kill cut off: the next server is asked to go on with it. */
  readonly #cutOff: Giving[] = [];
  /** How often each kind of request was answered with success. */
  readonly answered = { uploads: 0, resumed: 0, contributions: 0, snapshots: 0, withdrawals: 0 };

  constructor(readonly world: World) {}

  /**
   * Works until the signal; whatever fails after it failed because the server is gone. Nothing of it
   * is left when this returns or throws.
   */
  async work(url: string, signal: AbortSignal): Promise<void> {
    const client = (role: 'institution' | 'consumer') =>
      new ServiceClient({ baseUrl: url, token: this.world.tokens[role] });
    const failure = new AbortController();
    const stop = AbortSignal.any([signal, failure.signal]);
    const repeat = async (act: () => Promise<void>) => {
      while (!stop.aborted) {
        await act().catch((error) => {
          if (!signal.aborted) failure.abort(error);
        });
      }
    };
    await Promise.all([
      repeat(() => this.#contribute(url, client('institution'))),
      repeat(() => this.#contribute(url, client('institution'))),
      repeat(() => this.#withdraw(client('institution'))),
      repeat(() => this.#freeze(client('consumer'))),
    ]);
    failure.signal.throwIfAborted();
  }

  /** Waits until `count` more uploads, contributions and withdrawals were answered with success. */
  async answers(count: number, signal: AbortSignal): Promise<void> {
    const total = () => {
      const { uploads, contributions, withdrawals } = this.answered;
      return uploads + contributions + withdrawals;
    };
    const goal = total() + count;
    while (total() < goal && !signal.aborted) await delay(2);
  }

  async #contribute(url: string, client: ServiceClient): Promise<void> {
    const giving = this.#cutOff.shift() ?? {
      segment: segmentOf(10 + (this.#seed % 200), this.#seed++),
    };
    try {
      await this.#upload(url, giving);
      const envelope = contributionOf([giving.segment], this.world.keys.institution);
      const { id } = await client.json<Contribution>('POST', '/v1/contributions', envelope);
      this.promises.contributions.set(id, sha256(giving.segment));
      this.answered.contributions++;
    } catch (error) {
      this.#cutOff.push(giving);
      throw error;
    }
  }

  /** In two requests, or from where the server before was killed. */
  async #upload(url: string, giving: Giving): Promise<void> {
    const { segment } = giving;
    const isNew = giving.upload === undefined;
    giving.upload ??= await RawUpload.begin(url, this.world.tokens.institution, segment);
    // One that the server knows no more became a blob: the contribution shows whether that is true.
    let offset = isNew ? 0 : ((await giving.upload.offset(url)) ?? segment.length);
    if (!isNew) this.answered.resumed++;
    for (const stop of [Math.floor(segment.length / 2), segment.length]) {
      if (offset >= stop) continue;
      await giving.upload.send(url, offset, stop);
      offset = stop;
    }
    this.answered.uploads++;
  }

  async #withdraw(client: ServiceClient): Promise<void> {
    const { contributions, withdrawalsBegun, withdrawn } = this.promises;
    const kept = [...contributions.keys()].filter((id) => !withdrawalsBegun.has(id));
    const id = kept[0];
    if (id === undefined || kept.length < KEPT) {
      await delay(5);
      return;
    }
    withdrawalsBegun.add(id);
    await client.json('DELETE', `/v1/contributions/${id}`);
    withdrawn.add(id);
    this.answered.withdrawals++;
  }

  async #freeze(client: ServiceClient): Promise<void> {
    if (this.promises.contributions.size > 0) {
      const { id, segments } = await client.json<Snapshot>('POST', '/v1/snapshots', {});
      this.promises.snapshots.set(id, segments);
      this.answered.snapshots++;
    }
    await delay(20);
  }
}
