import type { ComponentChildren, VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { AttackReport } from '../attack.js';
import type { PairRates } from '../likelihood/pair-statistics.js';
import { type AuditReport, comparisonsOf } from './audit-report.js';
import { leastDetectable } from './guessing.js';

/** What specialists want to know of each attack besides. */
export function AttackNumbers({ report }: { readonly report: AuditReport }): VNode {
  const { attacks, attacked } = report;
  const context = comparisonsOf(report);
  const epsilon: Column<AttackReport> = {
    heading: 'ε ≥',
    number: true,
    cell: (attack) => provenEpsilon(attack, attacked),
  };
  const detectable: Column<AttackReport> = {
    heading: 'detectable',
    number: true,
    cell: (attack) => (
      <>
        {percent(leastDetectable(attack, context))}
        <Small>guessing {percent(attack.chance)}</Small>
      </>
    ),
  };
  const [first, ...others] = COLUMNS;
  return (
    <WideTable
      name="More numbers of each attack"
      columns={[first, detectable, ...others, epsilon]}
      rows={attacks}
    />
  );
}

const COLUMNS: readonly Column<AttackReport>[] = [
  { heading: 'attack', rowHeading: true, cell: (attack) => attack.name },
  { heading: 'among its first ten answers', number: true, cell: firstAnswers },
  { heading: 'area under ROC', number: true, cell: areaUnderRoc },
  {
    heading: 'pairs found at 1 % false alarms',
    number: true,
    cell: (attack) => pairsFound(attack, 'truePositivesAt1Percent'),
  },
  {
    heading: 'at 0.1 %',
    number: true,
    cell: (attack) => pairsFound(attack, 'truePositivesAt01Percent'),
  },
];

function firstAnswers({ topTen, topFive }: AttackReport): VNode {
  return (
    <>
      {topTen && percent(topTen.value)}
      {topFive && <Small>first five {percent(topFive.value)}</Small>}
    </>
  );
}

function areaUnderRoc({ pairs }: AttackReport): VNode | null {
  if (!pairs) return null;
  return (
    <>
      {pairs.auc.toFixed(3)}
      <Small>{pairs.intervals.auc.map((end) => end.toFixed(3)).join(' – ')}</Small>
      {pairs.blind && <Small>blind {pairs.blind.auc.toFixed(3)}</Small>}
    </>
  );
}

function pairsFound({ pairs }: AttackReport, at: Exclude<keyof PairRates, 'auc'>): VNode | null {
  if (!pairs) return null;
  return (
    <>
      {percent(pairs[at])}
      <Interval of={pairs.intervals[at]} />
      {pairs.blind && <Small>blind {percent(pairs.blind[at])}</Small>}
    </>
  );
}

/** Older audits may state one for pairs that it says nothing of: of format 3 others, and those of given releases. */
function provenEpsilon(
  { task, pairs }: AttackReport,
  attacked: AuditReport['attacked'],
): string | undefined {
  if (attacked === 'contribution' || attacked === 'replaced-contribution') return undefined;
  return task === 'tell a pair apart' ? pairs?.epsilon?.epsilon.toFixed(2) : undefined;
}

function Small({ children }: { readonly children: ComponentChildren }): VNode {
  return <span class="interval">{children}</span>;
}
