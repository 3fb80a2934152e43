import { setTimeout as delay } from 'node:timers/promises';
import type { Contribution } from '../../pool-store/contributions.js';
import type { Snapshot } from '../../pool-store/snapshots.js';
import { ServiceClient } from '../../services/http/client.js';
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
  /** How often each kind of request was answered with success. */
  readonly answered = { uploads: 0, contributions: 0, snapshots: 0, withdrawals: 0 };

  constructor(readonly world: World) {}

  /** Works until the signal; whatever fails after it failed because the server is gone. */
  async work(url: string, signal: AbortSignal): Promise<void> {
    const client = (role: 'institution' | 'consumer') =>
      new ServiceClient({ baseUrl: url, token: this.world.tokens[role] });
    const actors = [
      () => this.#contribute(url, client('institution')),
      () => this.#contribute(url, client('institution')),
      () => this.#withdraw(client('institution')),
      () => this.#freeze(client('consumer')),
    ];
    await Promise.all(
      actors.map(async (act) => {
        while (!signal.aborted) {
          try {
            await act();
          } catch (error) {
            if (!signal.aborted) throw error;
          }
        }
      }),
    );
  }

  /** Waits until `count` more uploads, contributions and withdrawals were answered with success. */
  async answers(count: number): Promise<void> {
    const total = () => {
      const { uploads, contributions, withdrawals } = this.answered;
      return uploads + contributions + withdrawals;
    };
    const goal = total() + count;
    while (total() < goal) await delay(2);
  }

  async #contribute(url: string, client: ServiceClient): Promise<void> {
    const segment = segmentOf(10 + (this.#seed % 200), this.#seed++);
    await uploadInTwo(url, this.world.tokens.institution, segment);
    this.answered.uploads++;
    const envelope = contributionOf([segment], this.world.keys.institution);
    const { id } = await client.json<Contribution>('POST', '/v1/contributions', envelope);
    this.promises.contributions.set(id, sha256(segment));
    this.answered.contributions++;
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

/** An upload in two requests, without the client's patience: a killed server ends it at once. */
async function uploadInTwo(url: string, token: string, segment: Uint8Array): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const headers = { Authorization: `Bearer ${token}`, 'Tus-Resumable': '1.0.0' };
  const metadata = `digest ${base64(sha256(segment))},kind ${base64('segment')}`;
  const begun = await fetch(`${url}/v1/uploads`, {
    method: 'POST',
    headers: {
      ...headers,
      'Upload-Length': String(segment.length),
      'Upload-Metadata': metadata,
    },
  });
  const middle = Math.floor(segment.length / 2);
  for (const [start, stop] of [
    [0, middle],
    [middle, segment.length],
  ] as const) {
    const sent = await fetch(new URL(begun.headers.get('location') ?? '', url), {
      method: 'PATCH',
      headers: {
        ...headers,
        'Upload-Offset': String(start),
        'Content-Type': 'application/offset+octet-stream',
      },
      body: segment.subarray(start, stop),
    });
    if (!sent.ok) throw new Error(`an upload was answered ${sent.status}: ${await sent.text()}`);
  }
}
