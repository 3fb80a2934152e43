import { TacetError } from '../../../proto/errors.js';
import { withHome } from './home/home.js';
import { aloneIn, CONTRIBUTING_LOCK } from './home/home-lock.js';
import type { Ledger } from './ledger/ledger.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

export interface DropOptions {
  readonly althoughSent?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes segments, by their digests in hex, out of those that wait in `home` and deletes their vectors. All that the ledger
 * counts of them stays, since they may have reached a pool's machine: their sentences have left as often as before, for
 * `maxReleases` and every other bound. Dropping again changes nothing. Throws `not-found` for a segment that
 * the ledger does not know, `conflict` for one that a pool has accepted, and `outcome-unknown` for one that it may have, unless
 * `althoughSent`; then none is dropped.
 */
export function dropSegments(
  home: string,
  digests: readonly string[],
  { althoughSent = false, signal }: DropOptions = {},
): Promise<SegmentRow[]> {
  return withHome(home, { signal }, ({ ledger, outbox }) =>
    // What is on its way may be accepted.
    aloneIn(home, CONTRIBUTING_LOCK, signal, async () => {
      const dropped = await ledger.exclusively(() => {
        const segments = digests.map((digest) => neverAccepted(ledger, digest, home, althoughSent));
        for (const { digest } of segments) ledger.segments.drop(digest);
        return segments;
      }, signal);
      for (const { digest } of dropped) await outbox.remove(digest);
      return dropped;
    }),
  );
}

function neverAccepted(
  { segments }: Ledger,
  digest: string,
  home: string,
  althoughSent: boolean,
): SegmentRow {
  const found = segments.find(digest);
  if (!found)
    throw new TacetError(
      'not-found',
      `${home}: no segment ${digest} was ever recorded in this ledger; give the digest that tacet contribute names`,
    );
  const { segment, id, isSent } = found;
  if (id !== null)
    throw new TacetError(
      'conflict',
      `segment ${digest} was accepted with contribution ${id}; tacet withdraw ${id} has the pool erase it`,
    );
  if (!isSent || althoughSent) return segment;
  throw new TacetError(
    'outcome-unknown',
    `segment ${digest}: a pool was asked to take it, and whether it did is not known; run tacet contribute, which asks it ` +
      'again, or drop it with --although-sent where that pool is gone: what it has stays there',
  );
}
