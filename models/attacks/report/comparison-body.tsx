import type { VNode } from 'preact';
import { Notice } from '../../../platform/pages/notice.js';
import { Wide } from '../../../platform/pages/wide.js';
import { type Figure, FigureDrawing } from '../../charts/figure.js';
import { type AuditReport, NOT_RUN } from './audit-report.js';
import type { ComparedAudit } from './compared-attacks.js';
import { ComparisonTable } from './comparison-table.js';

interface ComparisonBodyProps {
  readonly audits: readonly ComparedAudit[];
  readonly figure?: Figure | undefined;
}

/** Several audits side by side in a page, below its heading, under a figure where there is one. */
export function ComparisonBody({ audits, figure }: ComparisonBodyProps): VNode {
  return (
    <>
      <p>
        Each column is a representation, each row what attackers tried on it: how often the
        strongest of them was right, with its 95 % interval, and how often guessing is. Bold numbers
        are better than guessing beyond luck. Attacks show at least what can be learned, limits show
        at most, in the mean, what one release can tell of one PHI word.
      </p>
      {unlike(audits).map((what) => (
        <Notice kind="danger">
          <p>Not measured alike: {what}. Compare with care.</p>
        </Notice>
      ))}
      {figure && (
        <Wide name="Figure">
          <FigureDrawing figure={figure} />
        </Wide>
      )}
      <ComparisonTable audits={audits} />
      <h2>What each audit found</h2>
      {audits.map(({ label, report }) => (
        <>
          <h3>{label}</h3>
          <p>{report.verdict}</p>
          {missing(report)}
        </>
      ))}
    </>
  );
}

function missing({ leftOut, contradictions }: AuditReport): VNode[] {
  const notRun = leftOut.filter((what) => what.endsWith(NOT_RUN));
  const cut = leftOut.filter((what) => !what.endsWith(NOT_RUN));
  const facts = [
    ['For want of time not run', notRun.map((what) => what.slice(0, -NOT_RUN.length))],
    ['For want of time cut short', cut],
    ['In contradiction to their limit', contradictions],
  ] as const;
  return facts
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => (
      <p class="note">
        {what}: {names.join(', ')}.
      </p>
    ));
}

/** What the limit on entities is of, where they were replaced. */
function surrogates({ attacked, entities }: AuditReport): 'one' | 'several' | undefined {
  if (attacked !== 'replaced-contribution') return undefined;
  return entities.recurring === undefined ? 'several' : 'one';
}

/** In what the audits differ beside the representation, as far as they state it. */
function unlike(audits: readonly ComparedAudit[]): string[] {
  const differs = (of: (report: AuditReport) => unknown) =>
    new Set(audits.flatMap(({ report }) => JSON.stringify(of(report)) ?? [])).size > 1;
  return [
    ...(differs(({ attacked }) => attacked) ? ['what was attacked'] : []),
    ...(differs(({ heading }) => heading?.corpus)
      ? ['the notes, by the names of their files']
      : []),
    ...(differs(({ candidates }) => candidates) ? ['the number of candidates of a word'] : []),
    ...(differs(({ documents }) => documents) ? ['the number of notes'] : []),
    ...(differs(({ seed }) => seed) ? ['the seed of splits and pairs'] : []),
    ...(differs(surrogates) ? ['whether an entity has one surrogate in its note or several'] : []),
  ];
}
