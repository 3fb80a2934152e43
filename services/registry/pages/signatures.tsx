import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { BundleSignature } from '../bundle-signatures.js';

interface SignaturesProps {
  /** Undefined where the file of the signatures cannot be read. */
  readonly signatures: readonly BundleSignature[] | undefined;
}

/** Who signed a bundle, as this registry knows them. */
export function Signatures({ signatures }: SignaturesProps): VNode {
  if (!signatures) return <p>The file of its signatures cannot be read here.</p>;
  return (
    <>
      <WideTable name="Signatures" kind="folding" columns={COLUMNS} rows={signatures} />
      <p class="note">
        This is the registry’s word. <code>tacet model fetch</code> and{' '}
        <code>tacet bundle verify</code> check the signatures against keys that you trust yourself.
      </p>
    </>
  );
}

const COLUMNS: readonly Column<BundleSignature>[] = [
  { heading: 'key', rowHeading: true, cell: ({ keyId }) => <span class="id">{keyId}</span> },
  { heading: 'whose', cell: ({ name: whose }) => whose ?? 'not known to this registry' },
  { heading: 'signature', cell: ({ outcome }) => OUTCOMES[outcome] },
];

const OUTCOMES: Readonly<Record<BundleSignature['outcome'], VNode>> = {
  right: <Badge kind="good">right</Badge>,
  wrong: <Badge kind="danger">wrong</Badge>,
  unchecked: <Badge kind="warn">not checked</Badge>,
};
