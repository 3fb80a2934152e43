import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { Digest } from '../../../platform/pages/digest.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Listing } from '../../../pool-store/catalog/listing.js';
import type { TrainingRun, Use, Uses } from '../../../pool-store/training/training-runs.js';

interface UsesTableProps {
  readonly uses: Uses;
  /** Whether the reader may open snapshots. */
  readonly linked: boolean;
}

/** The snapshots that hold a contribution, and the models that learned from it there. */
export function UsesTable({ uses: { rows, total }, linked }: UsesTableProps): VNode {
  const columns: Column<Use>[] = [
    {
      heading: 'Snapshot',
      rowHeading: true,
      cell: ({ snapshot }) => (
        <Digest of={snapshot} href={linked ? `/snapshots/${snapshot}` : undefined} />
      ),
    },
    { heading: 'Created', cell: ({ created }) => <Time iso={created} /> },
    {
      heading: 'Models that were trained on it',
      cell: ({ runs, runCount }) =>
        runCount === 0 ? (
          'none that said so'
        ) : (
          <>
            {runs.map(({ run, name, version, trainer }) => (
              <div key={`${run} ${trainer}`}>{`${name} ${version}, by ${trainer}`}</div>
            ))}
            {runCount > runs.length && <div>{countText(runCount - runs.length)} more</div>}
          </>
        ),
    },
  ];
  return (
    <>
      <WideTable
        name="Snapshots that hold it"
        kind="folding"
        columns={columns}
        rows={rows}
        empty={<p>No snapshot holds it, so nobody has trained on it here.</p>}
      />
      {total > rows.length && (
        <p class="note">
          {countText(rows.length)} of {countText(total)}: those that were trained on first, then the
          newest.
        </p>
      )}
    </>
  );
}

/** Training runs that used a snapshot. */
export function RunsTable({
  runs: { rows, total },
}: {
  readonly runs: Listing<TrainingRun>;
}): VNode {
  return (
    <>
      <WideTable
        name="Training runs"
        kind="folding"
        columns={[
          {
            heading: 'Model',
            rowHeading: true,
            cell: ({ name, version }) => `${name} ${version}`,
          },
          { heading: 'Trained by', cell: ({ trainer }) => trainer },
          { heading: 'Begun', cell: ({ begun }) => <Time iso={begun} /> },
          { heading: 'Configuration', cell: ({ run }) => <Digest of={run} /> },
        ]}
        rows={rows}
        empty={<p>No training run has said that it used it.</p>}
      />
      {total > rows.length && (
        <p class="note">
          The first {countText(rows.length)} of {countText(total)}.
        </p>
      )}
    </>
  );
}
