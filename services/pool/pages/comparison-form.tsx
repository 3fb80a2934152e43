import type { VNode } from 'preact';
import type { SnapshotSummary } from '../../../pool-store/snapshots/snapshot-index.js';

interface ComparisonFormProps {
  readonly id: string;
  /** That it may be compared with, itself among them or not. */
  readonly offered: readonly SnapshotSummary[];
}

/** Chooses what a snapshot is compared with. */
export function ComparisonForm({ id, offered }: ComparisonFormProps): VNode | null {
  const others = offered.filter((other) => other.id !== id);
  if (others.length === 0) return null;
  return (
    <>
      <h2>Compare with another</h2>
      <form method="get" action={`/snapshots/${id}/compare`}>
        <label>
          Snapshot
          <select name="other">
            {others.map((other) => (
              <option key={other.id} value={other.id}>
                {`${other.id.slice(0, 12)}… of ${other.created.slice(0, 16).replace('T', ' ')} UTC`}
              </option>
            ))}
          </select>
        </label>
        <div class="actions">
          <button type="submit" class="quiet">
            Compare
          </button>
        </div>
      </form>
    </>
  );
}
