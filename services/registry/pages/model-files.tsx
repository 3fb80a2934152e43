import type { VNode } from 'preact';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';

type File = readonly [path: string, digest: string];

/** The files of a bundle, by the SHA-256 of their bytes. */
export function ModelFiles({ files }: { readonly files: Readonly<Record<string, string>> }): VNode {
  return (
    <WideTable
      name="Files"
      kind="folding"
      columns={COLUMNS}
      rows={Object.entries(files)}
      empty={<p>The registry holds none.</p>}
    />
  );
}

const COLUMNS: readonly Column<File>[] = [
  { heading: 'file', rowHeading: true, cell: ([path]) => path },
  { heading: 'SHA-256', cell: ([, digest]) => <span class="id">{digest}</span> },
];
