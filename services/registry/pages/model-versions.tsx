import type { VNode } from 'preact';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Listing } from '../../../pool-store/catalog/listing.js';
import { aliasesOfName, versionsOf } from '../../../pool-store/models/model-search.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { Store } from '../../../pool-store/store.js';
import { pathWith } from '../../http/pages/paging.js';
import { StatusBadge } from './model-status.js';
import { comparisonHref, modelHref, PLACES } from './places.js';

const MOST_VERSIONS = 20;
const MOST_ALIASES = 100;

interface NamedVersions extends Listing<Model> {
  readonly aliases: readonly { readonly alias: string; readonly version: string }[];
}

/** The newest versions of a name, and what its aliases mean. */
export async function versionsWithAliases(
  { catalog }: Store,
  name: string,
): Promise<NamedVersions> {
  const newest = await versionsOf(catalog, name, { limit: MOST_VERSIONS, offset: 0 });
  return { ...newest, aliases: await aliasesOfName(catalog, name, MOST_ALIASES) };
}

interface ModelVersionsProps {
  readonly of: NamedVersions;
  readonly model: Model;
}

/** The versions of a model's name with their aliases, and the ways to what changed between two. */
export function ModelVersions({ of, model }: ModelVersionsProps): VNode {
  const { rows, total, aliases } = of;
  const columns: readonly Column<Model>[] = [
    { heading: 'version', rowHeading: true, cell: (other) => versionOf(other, model) },
    {
      heading: 'aliases',
      cell: ({ version }) =>
        aliases
          .filter((each) => each.version === version)
          .map(({ alias }) => alias)
          .join(', ') || '–',
    },
    { heading: 'status', cell: (other) => <StatusBadge {...other} /> },
    { heading: 'published', cell: ({ published }) => <Time iso={published} precision="day" /> },
    { heading: 'changes', cell: (other) => comparisonOf(other, model) },
  ];
  return (
    <>
      <WideTable name="Versions" kind="folding" columns={columns} rows={rows} />
      {total > rows.length && (
        <p>
          <a href={pathWith(PLACES.models, { search: model.name })}>All {total} versions</a>
        </p>
      )}
    </>
  );
}

function versionOf(other: Model, { version }: Model): VNode {
  if (other.version === version) return <strong>{version}, shown here</strong>;
  return <a href={modelHref(other)}>{other.version}</a>;
}

/** From the older to the newer. */
function comparisonOf(other: Model, { name: of, version, published }: Model): VNode | string {
  if (other.version === version) return '–';
  const [from, to] =
    other.published < published ? [other.version, version] : [version, other.version];
  return (
    <a href={comparisonHref(of, from, to)}>
      from {from} to {to}
    </a>
  );
}
