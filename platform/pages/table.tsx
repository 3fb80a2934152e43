import type { ComponentChildren, VNode } from 'preact';

export interface Column<Row> {
  readonly heading: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Stands to the right, its digits of one width. */
  readonly number?: boolean;
  /** Its cells are the headings of their rows. */
  readonly rowHeading?: boolean;
  /** What it shows speaks for itself: its heading is for those who hear the page. */
  readonly unseen?: boolean;
}

export interface TableProps<Row> {
  /** What those who hear the page are told that it is. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** On a phone a `folding` table shows a card for each row; a `dense` one has many short rows. */
  readonly kind?: 'folding' | 'dense' | undefined;
  /** Stands in the place of a table without rows. */
  readonly empty?: ComponentChildren;
}

/** A table that is never wider than the page; others are for `WideTable`. */
export function Table<Row>({ name, columns, rows, kind, empty }: TableProps<Row>): VNode {
  if (rows.length === 0) return <>{empty}</>;
  return (
    <table class={kind} aria-label={name}>
      <thead>
        <tr>{columns.map(headingCell)}</tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>{columns.map((column) => bodyCell(column, row))}</tr>
        ))}
      </tbody>
    </table>
  );
}

function headingCell<Row>({ heading, number, unseen }: Column<Row>): VNode {
  return (
    <th scope="col" class={number ? 'number' : undefined}>
      {unseen ? <span class="unseen">{heading}</span> : heading}
    </th>
  );
}

function bodyCell<Row>(column: Column<Row>, row: Row): VNode {
  const { heading, number, rowHeading, unseen, cell } = column;
  if (rowHeading) return <th scope="row">{cell(row)}</th>;
  return (
    <td class={number ? 'number' : undefined} data-name={unseen ? undefined : heading}>
      {cell(row)}
    </td>
  );
}
