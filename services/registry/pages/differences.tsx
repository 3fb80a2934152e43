import type { VNode } from 'preact';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Difference, PartDifference } from './manifest-difference.js';

const MOST_ROWS = 200;

interface DifferencesProps {
  readonly parts: readonly PartDifference[];
  readonly versions: readonly [before: string, after: string];
}

/** What changed from one version to another, and in which parts nothing did. */
export function Differences({ parts, versions }: DifferencesProps): VNode {
  const unchanged = parts.filter(({ differences }) => differences.length === 0);
  return (
    <>
      {parts
        .filter(({ differences }) => differences.length > 0)
        .map((part) => (
          <DifferenceTable part={part} versions={versions} />
        ))}
      {unchanged.length > 0 && (
        <>
          <h2>What is the same</h2>
          <p>{unchanged.map(({ part }) => part).join('; ')}.</p>
        </>
      )}
    </>
  );
}

interface DifferenceTableProps extends Pick<DifferencesProps, 'versions'> {
  readonly part: PartDifference;
}

function DifferenceTable({
  part: { part, same, differences },
  versions: [before, after],
}: DifferenceTableProps): VNode {
  return (
    <>
      <h2>{part}</h2>
      <WideTable
        name={part}
        kind="folding"
        columns={[
          { heading: 'what', rowHeading: true, cell: ({ what }: Difference) => what },
          { heading: before, cell: (difference) => <Said what={difference.before} /> },
          { heading: after, cell: (difference) => <Said what={difference.after} /> },
        ]}
        rows={differences.slice(0, MOST_ROWS)}
      />
      <p class="note">
        {differences.length > MOST_ROWS &&
          `Shown are the first ${MOST_ROWS} of ${differences.length} differences. `}
        {same > 0 && `Besides, both say the same ${same === 1 ? 'once' : `${same} times`}.`}
      </p>
    </>
  );
}

/** Digests break where the page is narrow. */
function Said({ what }: { readonly what: string | undefined }): VNode {
  if (what === undefined) return <span class="what">–</span>;
  return <span class={/^[0-9a-f]{64}$/.test(what) ? 'id' : undefined}>{what}</span>;
}
