import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { Notice } from '../../../platform/pages/notice.js';
import type { Listing } from '../../../pool-store/catalog/listing.js';
import type { Held } from '../../../pool-store/snapshots/snapshot-holdings.js';
import { HoldingsTable } from './holdings-table.js';

/** What of a snapshot was withdrawn after it was made. */
export function WithdrawnSince({ of: { rows, total } }: { readonly of: Listing<Held> }): VNode {
  return (
    <>
      <h2>Withdrawn since</h2>
      <HoldingsTable name="Withdrawn since" rows={rows} empty="" />
      {total > rows.length && (
        <p class="note">
          The newest {countText(rows.length)} of {countText(total)}.
        </p>
      )}
    </>
  );
}

/** What follows from a withdrawal for a snapshot. */
export function GoneNotice(): VNode {
  return (
    <Notice kind="danger">
      <p>
        Something in it was withdrawn since. It can be read no more: whoever asks for its sentences
        is answered 410, gone. Create a new one of what is left. Models that were trained on it
        before have learned from what is gone.
      </p>
    </Notice>
  );
}
