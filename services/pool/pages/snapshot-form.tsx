import type { VNode } from 'preact';
import { ENTITY_TREATMENTS } from '../../../proto/entity-treatment.js';

interface SnapshotFormProps {
  /** Models that contributions were made with. */
  readonly models: readonly { readonly digest: string; readonly text: string }[];
}

/** What of the pool a snapshot takes; all of it where nothing is said. */
export function SnapshotForm({ models }: SnapshotFormProps): VNode {
  return (
    <form method="post" action="/snapshots">
      <label>
        Model
        <select name="model">
          <option value="">the only one there is</option>
          {models.map(({ digest, text }) => (
            <option key={digest} value={digest}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        Labelled entities
        <select name="entities">
          <option value="">as they are, if all are alike</option>
          {ENTITY_TREATMENTS.map((treatment) => (
            <option key={treatment} value={treatment}>
              {treatment}
            </option>
          ))}
        </select>
      </label>
      <label>
        Institutions
        <input name="institutions" aria-describedby="about-institutions" autocomplete="off" />
      </label>
      <p class="hint" id="about-institutions">
        Their names with spaces between them; all where none is named.
      </p>
      <label>
        Received on this day or later, UTC
        <input type="date" name="from" />
      </label>
      <label>
        Received before this day, UTC
        <input type="date" name="until" />
      </label>
      <div class="actions">
        <button type="submit">Freeze</button>
      </div>
    </form>
  );
}
