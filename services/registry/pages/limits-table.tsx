import type { ComponentChildren, VNode } from 'preact';
import type { Manifest } from '../../../models/bundle/manifest.js';
import { statedLimits } from '../../../models/bundle/stated-scores.js';
import type { Column } from '../../../platform/pages/table.js';
import { Time } from '../../../platform/pages/time.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { SummarisedAudit } from './audit-summaries.js';
import type { AuditSummary } from './audit-summary.js';
import { ScoreValue, ShareValue } from './share-value.js';

interface LimitsTableProps {
  readonly scores: Manifest['scores'];
  readonly audits: readonly SummarisedAudit[];
}

/** Who says so, and what of the limit they say. */
interface LimitRow {
  readonly source: ComponentChildren;
  readonly mean: ComponentChildren;
  readonly audited?: AuditSummary;
}

/** The certified limits that a publisher states and that audits measured. */
export function LimitsTable({ scores, audits }: LimitsTableProps): VNode {
  const stated = statedLimits(scores).map(
    (score): LimitRow => ({
      source: `Publisher: ${score.name}`,
      mean: <ScoreValue of={score} />,
    }),
  );
  const measured = audits.flatMap(({ summary, attached }): LimitRow[] =>
    summary
      ? [
          {
            source: sourceOf(summary, attached),
            mean: <ShareValue of={summary.limit} />,
            audited: summary,
          },
        ]
      : [],
  );
  return (
    <>
      {stated.length === 0 && <p class="what">The publisher states no certified limit.</p>}
      <WideTable
        name="Certified limits"
        kind="folding"
        columns={COLUMNS}
        rows={[...stated, ...measured]}
        empty={<p class="what">No audit that is shown here states one either: it is not known.</p>}
      />
      {measured.length === 0 && stated.length > 0 && (
        <p class="what">
          No audit that is shown here states percentiles: how open single names are is not known.
        </p>
      )}
    </>
  );
}

function sourceOf({ corpus, candidates }: AuditSummary, attached: string): VNode {
  return (
    <>
      Audit of <Time iso={attached} precision="day" />
      {corpus !== undefined && (
        <>
          {' '}
          on <bdi>{corpus}</bdi>
        </>
      )}
      <span class="interval">a word moves among {candidates}</span>
    </>
  );
}

const COLUMNS: readonly Column<LimitRow>[] = [
  { heading: 'who says so', rowHeading: true, cell: ({ source }) => source },
  { heading: 'mean', number: true, cell: ({ mean }) => mean },
  audited('percentiles', ({ percentile95, percentile99, maximum }) => [
    ['95th', percentile95],
    ['99th', percentile99],
    ['maximum', maximum],
  ]),
  audited('other means', ({ narrative, form, entity }) => [
    ['in narrative', narrative?.value],
    ['in forms', form?.value],
    ['entity in a note', entity.value],
  ]),
];

/** What audits alone say, each share under its name. */
function audited(
  heading: string,
  of: (summary: AuditSummary) => readonly (readonly [what: string, share: number | undefined])[],
): Column<LimitRow> {
  return {
    heading,
    number: true,
    cell: ({ audited: summary }) =>
      summary ? (
        of(summary).map(([what, share]) => (
          <div>
            <span class="what">{what}</span> {share === undefined ? <NotStated /> : percent(share)}
          </div>
        ))
      ) : (
        <NotStated />
      ),
  };
}

function NotStated(): VNode {
  return (
    <>
      – <span class="unseen">not stated</span>
    </>
  );
}
