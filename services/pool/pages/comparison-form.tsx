import type { VNode } from 'preact';
import type { Store } from '../../../pool-store/store.js';

const OFFERED = { offset: 0, limit: 50 };

/** Chooses what a snapshot is compared with, among the newest. */
export function ComparisonForm({
  store,
  id,
}: {
  readonly store: Store;
  readonly id: string;
}): VNode | null {
  const others = store.snapshotIndex.page(OFFERED).rows.filter((other) => other.id !== id);
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
