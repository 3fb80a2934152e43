import { Badge } from '../../../../platform/pages/badge.js';
import { WholeDigest } from '../../../../platform/pages/digest.js';
import type { Column } from '../../../../platform/pages/table.js';
import { Time } from '../../../../platform/pages/time.js';
import { WideTable } from '../../../../platform/pages/wide-table.js';
import type { Identity } from '../../../../pool-store/members/identities.js';
import { MEMBERS } from '../../../../pool-store/members/tokens.js';
import type { Store } from '../../../../pool-store/store.js';
import { APPROVERS } from '../../identity-routes.js';
import { type Page, page } from '../page.js';
import { extentOf, pagingQuery, QueryPages } from '../paging.js';

const COLUMNS: readonly Column<Identity>[] = [
  { heading: 'Name', rowHeading: true, cell: ({ name }) => name },
  { heading: 'Key', cell: ({ keyId }) => <WholeDigest of={keyId} /> },
  { heading: 'Asked for', cell: ({ requested }) => <Time iso={requested} precision="day" /> },
  {
    heading: 'Approved',
    cell: ({ approved, revoked }) =>
      revoked !== null ? (
        <Badge kind="danger">revoked</Badge>
      ) : approved === null ? (
        <Badge kind="warn">waits</Badge>
      ) : (
        <Time iso={approved} precision="day" />
      ),
  },
];

const CHANGES: Column<Identity> = {
  heading: 'Change',
  unseen: true,
  cell: ({ keyId, name, approved, revoked }) =>
    revoked === null && (
      <>
        {approved === null && (
          <>
            <a href={`/identities/${keyId}/approve`}>
              Approve<span class="unseen"> a key of {name}</span>
            </a>{' '}
          </>
        )}
        <a href={`/identities/${keyId}/revoke`}>
          {approved === null ? 'Refuse' : 'Revoke'}
          <span class="unseen"> a key of {name}</span>
        </a>
      </>
    ),
};

/** The keys that may sign, and those that wait for an administrator. */
export function identitiesPage({ identities }: Store): Page {
  return page({
    path: '/identities',
    roles: MEMBERS,
    query: pagingQuery,
    async show({ query, token }) {
      const { rows, total } = await identities.page(extentOf(query));
      const approves = APPROVERS.includes(token.role);
      return {
        title: 'Keys',
        body: (
          <>
            <p>
              What a name signs counts if a key that was approved for it made the signature. A key
              is known by the SHA-256 of its 32 public bytes, which <code>tacet keys create</code>{' '}
              prints.
            </p>
            <WideTable
              name="Keys"
              kind="folding"
              columns={approves ? [...COLUMNS, CHANGES] : COLUMNS}
              rows={rows}
              empty={<p>Nobody has asked for a key yet.</p>}
            />
            <QueryPages path="/identities" query={query} total={total} />
          </>
        ),
      };
    },
  });
}
