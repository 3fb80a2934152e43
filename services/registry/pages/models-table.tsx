import type { VNode } from 'preact';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { firstScore, statedLimits } from '../../../models/bundle/stated-scores.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { cut } from './cut.js';
import { StatusBadge } from './model-status.js';
import { modelHref } from './places.js';
import { readableManifest } from './readable-manifest.js';
import type { RegistryReading } from './registry-reading.js';
import { ScoreValue } from './share-value.js';
import { StrongestAttack } from './strongest-attack.js';

const LONGEST_LANGUAGE = 20;

interface ModelRow extends Model {
  readonly manifest: Manifest | undefined;
  readonly audits: readonly SummarisedAudit[];
}

/** What the table says of each model. */
export async function modelRows(
  { store, summaries }: RegistryReading,
  models: readonly Model[],
): Promise<ModelRow[]> {
  const rows: ModelRow[] = [];
  for (const model of models) {
    const manifest = await readableManifest(store, model.digest);
    const { audits } = await summaries.ofModel(model.digest);
    rows.push({ ...model, manifest, audits });
  }
  return rows;
}

/** A row for each published version: what it is worth, and what is known of how far it can be trusted. */
export function ModelsTable({ rows }: { readonly rows: readonly ModelRow[] }): VNode {
  return (
    <WideTable
      name="Models"
      kind="folding"
      columns={COLUMNS}
      rows={rows}
      empty={<p>No model is published that this would show.</p>}
    />
  );
}

const NOT_STATED = <span class="what">not stated</span>;

const COLUMNS: readonly Column<ModelRow>[] = [
  {
    heading: 'Model',
    rowHeading: true,
    cell: (model) => (
      <>
        <a href={modelHref(model)}>
          {model.name} {model.version}
        </a>
        <span class="interval">
          {model.manifest?.kind ?? 'its manifest cannot be read'}, by {model.publisher}
        </span>
      </>
    ),
  },
  { heading: 'Status', cell: (model) => <StatusBadge {...model} /> },
  { heading: 'Language', cell: ({ manifest }) => languageOf(manifest) },
  { heading: 'F1', number: true, cell: ({ manifest }) => f1Of(manifest) },
  { heading: 'Limit of every attack', number: true, cell: ({ manifest }) => limitOf(manifest) },
  {
    heading: 'Strongest attack on names that was tried',
    cell: ({ audits }) => <StrongestAttack audits={audits} />,
  },
  {
    heading: 'Published',
    number: true,
    cell: ({ published }) => <Time iso={published} precision="day" />,
  },
];

function languageOf(manifest: Manifest | undefined) {
  const language = manifest?.training.language;
  return language === undefined ? NOT_STATED : <bdi>{cut(`${language}`, LONGEST_LANGUAGE)}</bdi>;
}

function f1Of(manifest: Manifest | undefined) {
  const score = manifest && firstScore(manifest.scores, 'F1');
  return score ? <ScoreValue of={score} /> : NOT_STATED;
}

/** A pipeline leaves in no release, so that no limit is to be stated. */
function limitOf(manifest: Manifest | undefined) {
  const [limit] = manifest ? statedLimits(manifest.scores) : [];
  if (limit) return <ScoreValue of={limit} />;
  return manifest?.kind === 'pipeline' ? <span class="what">stays in house</span> : NOT_STATED;
}
