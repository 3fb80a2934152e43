import type { VNode } from 'preact';
import { amountText } from '../../../platform/amount-text.js';
import { Breadcrumbs } from '../../../platform/pages/breadcrumbs.js';
import { Digest } from '../../../platform/pages/digest.js';
import { Facts } from '../../../platform/pages/facts.js';
import { Time } from '../../../platform/pages/time.js';
import type { SnapshotSummary } from '../../../pool-store/snapshots/snapshot-index.js';
import type { Store } from '../../../pool-store/store.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { SNAPSHOT_READERS } from '../roles.js';
import { HoldingsTable } from './holdings-table.js';
import { SnapshotState } from './snapshots-table.js';

/** What another snapshot holds more, and less. */
export function snapshotDifferencePage({ snapshotIndex, snapshotHoldings }: Store): Page {
  return page({
    path: '/snapshots/{id}/diff/{other}',
    roles: SNAPSHOT_READERS,
    query: pagingQuery,
    async show({ params, query }) {
      const first = await snapshotIndex.get(params.id);
      const second = await snapshotIndex.get(params.other);
      const extent = extentOf(query);
      const added = await snapshotHoldings.added(first.id, second.id, extent);
      const removed = await snapshotHoldings.added(second.id, first.id, extent);
      const path = `/snapshots/${first.id}/diff/${second.id}`;
      return {
        title: 'What differs between two snapshots',
        body: (
          <>
            <Breadcrumbs
              steps={[
                { text: 'Snapshots', href: '/snapshots' },
                { text: `${first.id.slice(0, 12)}…`, href: `/snapshots/${first.id}` },
              ]}
              here={`to ${second.id.slice(0, 12)}…`}
            />
            <Facts
              facts={[
                ['From', <Named snapshot={first} />],
                ['To', <Named snapshot={second} />],
              ]}
            />
            <p>
              <a href={`/snapshots/${second.id}/diff/${first.id}`}>The other way round</a>
            </p>
            <h2>{amountText(added.total, 'contribution')} more</h2>
            <HoldingsTable
              name="More"
              rows={added.rows}
              empty={
                added.total === 0
                  ? 'The second holds nothing that the first does not.'
                  : 'All are on the pages before.'
              }
            />
            <h2>{amountText(removed.total, 'contribution')} less</h2>
            <HoldingsTable
              name="Less"
              rows={removed.rows}
              empty={
                removed.total === 0
                  ? 'The first holds nothing that the second does not.'
                  : 'All are on the pages before.'
              }
            />
            <QueryPages path={path} query={query} total={Math.max(added.total, removed.total)} />
          </>
        ),
      };
    },
  });
}

function Named({ snapshot }: { readonly snapshot: SnapshotSummary }): VNode {
  const { id, created } = snapshot;
  return (
    <>
      <Digest of={id} href={`/snapshots/${id}`} /> <Time iso={created} />{' '}
      <SnapshotState {...snapshot} />
    </>
  );
}
