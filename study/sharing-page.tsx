import { selfContainedPage } from '../platform/pages/self-contained.js';
import { WideTable } from '../platform/pages/wide-table.js';
import type { Table } from './text-table.js';

const TITLE = 'Every way of sharing, on one split';

/** The columns whose cells are words. */
const WORDS = ['leaves', 'guarantee', 'attack'];

/** The table of `sharingTable` as one self-contained page. */
export function sharingPage([head = [], ...rows]: Table): string {
  const columns = head.map((heading, i) => ({
    heading,
    cell: (row: readonly string[]) => row[i] ?? '',
    ...(i === 0 ? { rowHeading: true } : { number: !WORDS.includes(heading) }),
  }));
  return selfContainedPage(
    TITLE,
    <main>
      <h1>{TITLE}</h1>
      <p>
        F1 and recall are of tokens, PHI or not, on held-out notes, in per cent; MB are what all
        places send together; times are of training and measuring. Attacks on what the other ways
        than releases send have not been measured, and of releases the audit of their representation
        says what was.
      </p>
      <WideTable name={TITLE} columns={columns} rows={rows} kind="dense" />
    </main>,
  );
}
