import { Table } from '../../../platform/pages/table.js';
import type { Role } from '../../../pool-store/members/tokens.js';
import { type Page, page } from '../../http/pages/page.js';
import { extentOf, pagingQuery, QueryPages } from '../../http/pages/paging.js';
import { bytesAgainstQuota } from '../../http/upload-admission.js';
import type { PoolPagesSetting } from './pool-setting.js';
import { Quota } from './quota.js';

/** Who sees what others have stored; every name sees its own. */
export const QUOTA_READERS: readonly Role[] = ['admin'];

/** Who has stored how much of what they may. */
export function quotasPage({ store, limits: { quotaBytes } }: PoolPagesSetting): Page {
  return page({
    path: '/quotas',
    roles: QUOTA_READERS,
    query: pagingQuery,
    async show({ query }) {
      const { rows, total } = await store.blobRecords.pageByOwner(extentOf(query));
      const used = await bytesAgainstQuota(
        store,
        rows.map(({ owner }) => owner),
      );
      return {
        title: 'Quotas',
        body: (
          <>
            <p>
              Bytes that are stored under each name, unfinished uploads included. What is withdrawn
              counts no more.
            </p>
            <Table
              name="Quotas"
              kind="folding"
              columns={[
                {
                  heading: 'Name',
                  rowHeading: true,
                  cell: ({ owner }) => owner || 'stored before names were kept',
                },
                {
                  heading: 'Stored',
                  cell: ({ owner, bytes }) => (
                    <Quota
                      used={owner === '' ? bytes : (used.get(owner) ?? bytes)}
                      quota={quotaBytes}
                    />
                  ),
                },
              ]}
              rows={rows}
              empty={<p>Nothing is stored yet.</p>}
            />
            <QueryPages path="/quotas" query={query} total={total} />
          </>
        ),
      };
    },
  });
}
