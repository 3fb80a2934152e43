import type { VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { Slice } from '../attack.js';

interface SliceTableProps {
  /** Whose parts they are. */
  readonly of: string;
  readonly slices: readonly Slice[];
  /** What the shares are of. */
  readonly heading: string;
}

/** What something came to in parts of its tries, beside guessing where that differs from part to part. */
export function SliceTable({ of, slices, heading }: SliceTableProps): VNode {
  const guesses = slices.some(({ chance }) => chance !== undefined);
  const columns: readonly Column<Slice>[] = [
    { heading: 'by', cell: ({ by }) => by },
    { heading: 'of', cell: ({ value }) => value },
    { heading: 'trials', number: true, cell: ({ trials }) => trials },
    {
      ...{ heading, number: true },
      cell: ({ success }) => (
        <>
          {percent(success.value)}
          <Interval of={success.interval} />
        </>
      ),
    },
    ...(guesses ? [BY_GUESSING] : []),
  ];
  return (
    <WideTable
      name={`${of}, by what it was tried on`}
      kind="dense"
      columns={columns}
      rows={slices}
    />
  );
}

const BY_GUESSING: Column<Slice> = {
  heading: 'by guessing',
  number: true,
  cell: ({ chance }) => (chance === undefined ? '' : percent(chance)),
};
