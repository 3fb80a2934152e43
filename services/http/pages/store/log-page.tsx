import { Digest } from '../../../../platform/pages/digest.js';
import type { Column } from '../../../../platform/pages/table.js';
import { Time } from '../../../../platform/pages/time.js';
import { WideTable } from '../../../../platform/pages/wide-table.js';
import type { LogEntry } from '../../../../pool-store/log/log-entry.js';
import type { Store } from '../../../../pool-store/store.js';
import { LOG_READERS, logQuery, signedHead } from '../../log-routes.js';
import { type Page, page } from '../page.js';
import { extentOf, pagingQuery, QueryPages } from '../paging.js';
import { HeadFacts } from './head-facts.js';
import { LogVerification } from './log-verification.js';

/** The name of the module that verifies the log in the browser. */
export const VERIFY_LOG = 'verify-log.js';

const COLUMNS: readonly Column<LogEntry>[] = [
  {
    heading: 'Change',
    rowHeading: true,
    cell: ({ sequence, action }) => `${sequence} ${action}`,
  },
  { heading: 'Time', cell: ({ time }) => <Time iso={time} /> },
  { heading: 'Of what', cell: ({ subject }) => <Digest of={subject} /> },
  { heading: 'Details', cell: ({ details }) => <span class="note">{detailsText(details)}</span> },
  { heading: 'Hash', cell: ({ hash }) => <Digest of={hash} /> },
];

/** Every change of the store, newest first, and whether they are one chain. */
export function logPage(store: Store): Page {
  const { log } = store;
  return page({
    path: '/log',
    roles: LOG_READERS,
    query: pagingQuery,
    async show({ query }) {
      const head = await signedHead(store);
      const { offset, limit } = extentOf(query);
      const newest = Math.max(0, head.sequence - offset);
      const oldest = Math.max(0, newest - limit);
      const entries = await log.entries(oldest, newest - oldest);
      return {
        title: 'Log',
        scripts: [VERIFY_LOG],
        body: (
          <>
            <p>
              Every change of the store. Each entry holds the hash of the one before: whoever keeps
              one hash can tell whether anything before it was altered or taken away.
            </p>
            <HeadFacts head={head} />
            <LogVerification head={head} />
            <h2>Entries</h2>
            <WideTable
              name="Entries of the log"
              kind="folding"
              columns={COLUMNS}
              rows={entries.reverse()}
              empty={<p>There are no entries here.</p>}
            />
            <QueryPages path="/log" query={query} total={head.sequence} />
          </>
        ),
      };
    },
  });
}

/** What the page's script reads: a thousand entries after a sequence number, as the interface for programs has them. */
export function logEntries({ log }: Store): Page {
  return page({
    path: '/log/entries',
    roles: LOG_READERS,
    query: logQuery,
    show: async ({ query }) => ({ data: await log.entries(Number(query.after ?? 0)) }),
  });
}

function detailsText(details: LogEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
