import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { Model } from '../../../pool-store/models/models.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { StatusBadge } from './model-status.js';
import { auditHref, modelHref } from './places.js';
import { ShareValue } from './share-value.js';
import { StrongestAttack } from './strongest-attack.js';

/** An audit, of which model it is, and who signed it. */
export interface AuditRow extends SummarisedAudit {
  readonly of: Model;
  /** By the registry's identities; a key that it does not know any more is left out. */
  readonly auditors: readonly string[];
}

interface AuditsTableProps {
  readonly rows: readonly AuditRow[];
  /** Whether they are of several models. */
  readonly ofSeveral?: boolean;
}

/** Audits, each with the limit that it measured and the strongest attack on names. */
export function AuditsTable({ rows, ofSeveral = false }: AuditsTableProps): VNode {
  const [audit, ...others] = COLUMNS;
  return (
    <WideTable
      name="Audits"
      kind="folding"
      columns={ofSeveral ? [OF_MODEL, { ...audit, rowHeading: false }, ...others] : COLUMNS}
      rows={rows}
      empty={<p>No audit is attached yet.</p>}
    />
  );
}

const OF_MODEL: Column<AuditRow> = {
  heading: 'Model',
  rowHeading: true,
  cell: ({ of: model }) => (
    <>
      <a href={modelHref(model)}>
        {model.name} {model.version}
      </a>{' '}
      {model.status !== 'published' && <StatusBadge {...model} />}
    </>
  ),
};

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    heading: 'Audit',
    rowHeading: true,
    cell: ({ of: model, id, attached, auditors }) => (
      <>
        <a href={auditHref(model, id)}>
          <span class="unseen">
            Audit of {model.name} {model.version},{' '}
          </span>
          <Time iso={attached} precision="day" />
          <span class="unseen">, {id.slice(0, 8)}</span>
        </a>
        <span class="interval">by {auditors.join(', ') || 'a key that is not known here'}</span>
      </>
    ),
  },
  {
    heading: 'On',
    cell: ({ summary }) =>
      summary ? <bdi>{summary.corpus ?? 'not stated'}</bdi> : <Badge kind="warn">unreadable</Badge>,
  },
  {
    heading: 'Limit of every attack',
    number: true,
    cell: ({ summary }) => (summary ? <ShareValue of={summary.limit} /> : '–'),
  },
  {
    heading: '99th percentile',
    number: true,
    cell: ({ summary }) => (summary ? percent(summary.percentile99) : '–'),
  },
  {
    heading: 'Strongest attack on names that was tried',
    cell: (audit) => <StrongestAttack audits={[audit]} />,
  },
];
