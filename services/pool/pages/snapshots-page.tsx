import type { Store } from '../../../pool-store/store.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { SNAPSHOT_MAKERS, SNAPSHOT_READERS } from '../roles.js';
import { modelNames } from './model-name.js';
import { SnapshotsTable } from './snapshots-table.js';

/** What was frozen, newest first. */
export function snapshotsPage(store: Store): Page {
  return page({
    path: '/snapshots',
    roles: SNAPSHOT_READERS,
    query: pagingQuery,
    async show({ query, token }) {
      const { rows, total } = await store.snapshotIndex.page(extentOf(query));
      const names = await modelNames(
        store,
        rows.map(({ model }) => model),
      );
      return {
        title: 'Snapshots',
        body: (
          <>
            <p>
              A snapshot is a list of contributions that never changes: who trains on it can say on
              what. Once something in it is withdrawn, it is gone, and what was trained on it can be
              told.
            </p>
            {SNAPSHOT_MAKERS.includes(token.role) && (
              <p class="actions">
                <a class="button" href="/snapshots/new">
                  Create a snapshot
                </a>
              </p>
            )}
            <SnapshotsTable names={names} rows={rows} />
            <QueryPages path="/snapshots" query={query} total={total} />
          </>
        ),
      };
    },
  });
}
