import { TacetError } from '../../../proto/errors.js';
import { withHome } from './home/home.js';
import { aloneIn, CONTRIBUTING_LOCK } from './home/home-lock.js';
import type { Ledger } from './ledger/ledger.js';
import type { SegmentRow } from './ledger/ledger-segments.js';

/**
 * Takes segments, by their digests in hex, out of those that wait in `home` and deletes their vectors. All that the ledger
 * counts of them stays, since they may have reached a pool's machine: their sentences have left as often as before, for
 * `maxReleases` and every other bound. Dropping again changes nothing. Throws `not-found` for a segment that
 * the ledger does not know, and `conflict` for one that a pool has accepted; then none is dropped.
 */
export function dropSegments(
  home: string,
  digests: readonly string[],
  signal?: AbortSignal,
): Promise<SegmentRow[]> {
  return withHome(home, { signal }, ({ ledger, outbox }) =>
    // What is on its way may be accepted.
    aloneIn(home, CONTRIBUTING_LOCK, signal, async () => {
      const dropped = await ledger.exclusively(() => {
        const segments = digests.map((digest) => neverAccepted(ledger, digest, home));
        for (const { digest } of segments) ledger.segments.drop(digest);
        return segments;
      }, signal);
      for (const { digest } of dropped) await outbox.remove(digest);
      return dropped;
    }),
  );
}

function neverAccepted({ segments }: Ledger, digest: string, home: string): SegmentRow {
  const segment = segments.find(digest);
  if (!segment)
    throw new TacetError(
      'not-found',
      `${home}: no segment ${digest} was ever recorded in this ledger; give the digest that tacet contribute names`,
    );
  const { id, ...row } = segment;
  if (id === null) return row;
  throw new TacetError(
    'conflict',
    `segment ${digest} was accepted with contribution ${id}; tacet withdraw ${id} has the pool erase it`,
  );
}
