import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { Digest } from '../../../platform/pages/digest.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';
import { treatmentText } from '../../../proto/entity-treatment.js';
import { ContributionState } from './contribution-state.js';
import { ModelName, type ModelNames } from './model-name.js';

interface ContributionsTableProps {
  readonly names: ModelNames;
  readonly rows: readonly Contribution[];
  /** What is said where there are none. */
  readonly empty: string;
}

/** Contributions, each with a way to all that is known of it. */
export function ContributionsTable({ names, rows, empty }: ContributionsTableProps): VNode {
  return (
    <WideTable
      name="Contributions"
      kind="folding"
      columns={columnsOf(names)}
      rows={rows}
      empty={<p>{empty}</p>}
    />
  );
}

function columnsOf(names: ModelNames): Column<Contribution>[] {
  return [
    {
      heading: 'Contribution',
      rowHeading: true,
      cell: ({ id }) => <Digest of={id} href={`/contributions/${id}`} />,
    },
    { heading: 'Institution', cell: ({ institution }) => institution },
    { heading: 'Received', cell: ({ received }) => <Time iso={received} /> },
    { heading: 'Model', cell: ({ model }) => <ModelName names={names} digest={model} /> },
    {
      heading: 'Labelled entities',
      cell: ({ entities, keptTypes, copies }) =>
        treatmentText(entities, keptTypes) + (copies > 1 ? `, in ${copies} copies` : ''),
    },
    { heading: 'Sentences', number: true, cell: ({ sentences }) => countText(sentences) },
    { heading: 'State', cell: (contribution) => <ContributionState {...contribution} /> },
  ];
}
