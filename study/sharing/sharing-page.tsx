import { selfContainedPage } from '../../platform/pages/self-contained.js';
import { WideTable } from '../../platform/pages/wide-table.js';
import type { Table } from '../report/text-table.js';

const TITLE = 'Every way of sharing, on one split';

/** The columns whose cells are words. */
const WORDS = ['leaves', 'guarantee', 'PHI word told'];

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
        F1 and recall are of tokens, PHI or not, on held-out notes, in per cent; MB are what places
        send together: of text and releases all but the provider, of training together the provider,
        too, where it takes part; times are of training and measuring. A PHI word is told from one
        of its nearest by who knows the rest of its text, in so many of a hundred pairs, 50 by
        guessing: of releases that is a limit for every attacker, of moved words the same for one
        place of a word that can be moved, of updates what the attacks that were tried reached on
        the first one of each place, and another attacker may do better. What is near the blind
        figure beside it says nothing.
      </p>
      <WideTable name={TITLE} columns={columns} rows={rows} kind="dense" />
    </main>,
  );
}
