import type { VNode } from 'preact';
import { Badge } from '../../../../platform/pages/badge.js';
import type { Column } from '../../../../platform/pages/table.js';
import { Time } from '../../../../platform/pages/time.js';
import { WideTable } from '../../../../platform/pages/wide-table.js';
import { now } from '../../../../pool-store/catalog/catalog.js';
import type { Token } from '../../../../pool-store/members/tokens.js';
import type { Store } from '../../../../pool-store/store.js';
import { TOKEN_KEEPERS } from '../../token-routes.js';
import { type Page, page } from '../page.js';
import { extentOf, pagingQuery, QueryPages } from '../paging.js';

const COLUMNS: readonly Column<Token>[] = [
  { heading: 'Name', rowHeading: true, cell: ({ name }) => name },
  { heading: 'Role', cell: ({ role }) => role },
  { heading: 'Token', cell: ({ id }) => <code>{id}</code> },
  { heading: 'Created', cell: ({ created }) => <Time iso={created} precision="day" /> },
  { heading: 'State', cell: (token) => <State of={token} /> },
  { heading: 'Change', unseen: true, cell: (token) => <Changes of={token} /> },
];

/** Who holds a token, without any secret. */
export function tokensPage({ tokens }: Store): Page {
  return page({
    path: '/tokens',
    roles: TOKEN_KEEPERS,
    query: pagingQuery,
    async show({ query }) {
      const { rows, total } = await tokens.page(extentOf(query));
      return {
        title: 'Tokens',
        body: (
          <>
            <p>
              Whoever holds a token acts under its name, in its role. The store keeps a hash of it
              alone: a token that is lost gets a new secret, or is revoked.
            </p>
            <p class="actions">
              <a class="button" href="/tokens/new">
                Create a token
              </a>
            </p>
            <WideTable
              name="Tokens"
              kind="folding"
              columns={COLUMNS}
              rows={rows}
              empty={<p>There are no tokens.</p>}
            />
            <QueryPages path="/tokens" query={query} total={total} />
          </>
        ),
      };
    },
  });
}

function State({ of: { revoked, expires } }: { readonly of: Token }): VNode {
  if (revoked !== null) return <Badge kind="danger">revoked</Badge>;
  if (expires === null) return <Badge kind="good">valid</Badge>;
  if (expires <= now()) return <Badge kind="warn">expired</Badge>;
  return (
    <>
      <Badge kind="good">valid</Badge> until <Time iso={expires} precision="day" />
    </>
  );
}

function Changes({ of: { id, name, revoked } }: { readonly of: Token }): VNode | null {
  if (revoked !== null) return null;
  const whose = <span class="unseen"> the token of {name}</span>;
  return (
    <>
      <a href={`/tokens/${id}/rotate`}>Rotate{whose}</a>{' '}
      <a href={`/tokens/${id}/revoke`}>Revoke{whose}</a>
    </>
  );
}
