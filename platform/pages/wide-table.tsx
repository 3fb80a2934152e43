import type { VNode } from 'preact';
import { Table, type TableProps } from './table.js';
import { Wide } from './wide.js';

/** A table that scrolls by itself where it is wider than the page, also by keyboard. */
export function WideTable<Row>(props: TableProps<Row>): VNode {
  if (props.rows.length === 0) return <>{props.empty}</>;
  return (
    <Wide name={props.name}>
      <Table {...props} />
    </Wide>
  );
}
