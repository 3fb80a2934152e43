import type { KeyObject } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { TacetError } from '../../../proto/errors.js';
import {
  type FederationPlan,
  type FederationTask,
  parseFederationPlan,
  parseFederationTaken,
  parseFederationTask,
  planDigest,
} from '../../../proto/federation-plan.js';
import {
  decodeNumbers,
  MOST_NUMBERS_BYTES,
  type Numbers,
  signUpdate,
} from '../../../proto/federation-update.js';
import { PATHS } from '../../../proto/paths.js';
import type { ServiceClient } from '../../client/client.js';

/** What a worker asks of a coordinator, over HTTP or in memory. */
export interface Federation {
  /** The same whenever it is asked for: what a worker sends is signed for it. */
  plan(): Promise<FederationPlan>;
  task(): Promise<FederationTask>;
  weights(share: number): Promise<Numbers>;
  /** All of them, as the federation began. */
  firstWeights(): Promise<Numbers>;
  /** False where the round was over before it came. */
  upload(update: Numbers, epoch: number, texts: number): Promise<boolean>;
}

/** The same, which says besides how far each worker is. */
export interface RemoteFederation extends Federation {
  taken(): Promise<Readonly<Record<string, number>>>;
}

/** A coordinator behind HTTP. */
export function remoteFederation(
  client: ServiceClient,
  worker: string,
  privateKey: KeyObject,
  signal: AbortSignal,
): RemoteFederation {
  const numbersAt = async (path: string) =>
    decodeNumbers(
      await buffer(await client.stream(path, { mostBytes: MOST_NUMBERS_BYTES, signal })),
    );
  const status = () =>
    client.json<{ plan: unknown; taken: unknown }>('GET', PATHS.federation, undefined, { signal });
  let known: FederationPlan | undefined;
  const plan = async () => {
    known ??= parseFederationPlan((await status()).plan);
    return known;
  };
  return {
    plan,
    taken: async () => parseFederationTaken((await status()).taken),
    async task() {
      const task = await client.json<unknown>('GET', PATHS.federationTask, undefined, { signal });
      return parseFederationTask(task);
    },
    async weights(share) {
      const path = `${PATHS.federationWeights}?share=${share}`;
      return await numbersAt(path);
    },
    firstWeights: () => numbersAt(PATHS.federationFirstWeights),
    async upload(update, epoch, texts) {
      const stated = { plan: planDigest(await plan()), worker, epoch, texts };
      const envelope = signUpdate(update, stated, privateKey);
      try {
        await client.json('POST', PATHS.federationUpdates, envelope, { signal });
        return true;
      } catch (error) {
        if (error instanceof TacetError && error.code === 'federation-round-past') return false;
        throw error;
      }
    },
  };
}
