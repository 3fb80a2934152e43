import type { VNode } from 'preact';
import { bytesText, countText } from '../../../platform/amount-text.js';
import { Badge } from '../../../platform/pages/badge.js';
import { Digest } from '../../../platform/pages/digest.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { SnapshotSummary } from '../../../pool-store/snapshots/snapshot-index.js';
import { treatmentText } from '../../../proto/entity-treatment.js';
import { ModelName, type ModelNames } from './model-name.js';

interface SnapshotsTableProps {
  readonly names: ModelNames;
  readonly rows: readonly SnapshotSummary[];
}

/** Snapshots, each with a way to what it holds. */
export function SnapshotsTable({ names, rows }: SnapshotsTableProps): VNode {
  const columns: Column<SnapshotSummary>[] = [
    {
      heading: 'Snapshot',
      rowHeading: true,
      cell: ({ id }) => <Digest of={id} href={`/snapshots/${id}`} />,
    },
    { heading: 'Created', cell: ({ created }) => <Time iso={created} /> },
    { heading: 'Model', cell: ({ model }) => <ModelName names={names} digest={model} /> },
    {
      heading: 'Labelled entities',
      cell: ({ entities, keptTypes }) => treatmentText(entities, keptTypes),
    },
    { heading: 'Sentences', number: true, cell: ({ sentences }) => countText(sentences) },
    { heading: 'Size', number: true, cell: ({ bytes }) => bytesText(bytes) },
    { heading: 'State', cell: (snapshot) => <SnapshotState {...snapshot} /> },
  ];
  return (
    <WideTable
      name="Snapshots"
      kind="folding"
      columns={columns}
      rows={rows}
      empty={<p>Nothing was frozen yet.</p>}
    />
  );
}

/** Whether it can still be read. */
export function SnapshotState({ withdrawn }: Pick<SnapshotSummary, 'withdrawn'>): VNode {
  return withdrawn ? <Badge kind="warn">gone</Badge> : <Badge kind="good">readable</Badge>;
}
