import type { VNode } from 'preact';
import type { ScoredSpan } from '../../../models/networks/tagger.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';

interface TypeCount {
  readonly type: string;
  readonly count: number;
  readonly leastSure: number;
}

/** How much was found of each type, the most frequent first, and the least sure of it. */
export function FoundByType({ found }: { readonly found: readonly ScoredSpan[] }): VNode {
  return (
    <details>
      <summary>
        {found.length} {found.length === 1 ? 'passage' : 'passages'} of PHI found
      </summary>
      <WideTable
        name="What was found, by type"
        kind="dense"
        columns={[
          { heading: 'Type', rowHeading: true, cell: ({ type }: TypeCount) => type },
          { heading: 'Passages', number: true, cell: ({ count }) => count },
          { heading: 'Least sure', number: true, cell: ({ leastSure }) => percent(leastSure) },
        ]}
        rows={countsOf(found)}
      />
    </details>
  );
}

function countsOf(found: readonly ScoredSpan[]): TypeCount[] {
  const counts = new Map<string, TypeCount>();
  for (const { type, confidence } of found) {
    const { count = 0, leastSure = 1 } = counts.get(type) ?? {};
    counts.set(type, { type, count: count + 1, leastSure: Math.min(leastSure, confidence) });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || a.type.localeCompare(b.type));
}
