import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { Digest } from '../../../platform/pages/digest.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Held } from '../../../pool-store/snapshots/snapshot-holdings.js';
import { ContributionState } from './contribution-state.js';

interface HoldingsTableProps {
  readonly name: string;
  readonly rows: readonly Held[];
  readonly empty: string;
}

/** Contributions that a snapshot holds. */
export function HoldingsTable({ name, rows, empty }: HoldingsTableProps): VNode {
  return (
    <WideTable
      name={name}
      kind="folding"
      columns={[
        {
          heading: 'Contribution',
          rowHeading: true,
          cell: ({ contribution }) => (
            <Digest of={contribution} href={`/contributions/${contribution}`} />
          ),
        },
        { heading: 'Institution', cell: ({ institution }) => institution },
        { heading: 'Received', cell: ({ received }) => <Time iso={received} precision="day" /> },
        { heading: 'Copies', number: true, cell: ({ copies }) => copies },
        { heading: 'Segments', number: true, cell: ({ segments }) => countText(segments) },
        { heading: 'Sentences', number: true, cell: ({ sentences }) => countText(sentences) },
        { heading: 'State', cell: (held) => <ContributionState {...held} /> },
      ]}
      rows={rows}
      empty={<p>{empty}</p>}
    />
  );
}
