import type { VNode } from 'preact';
import { capitalise } from '../../../models/attacks/capitalise.js';
import { DID } from '../../../models/attacks/report/verdict.js';
import type { Statement } from '../../../models/attacks/statement.js';
import type { Column } from '../../../platform/pages/table.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { type AttackSummary, speaksOf } from './audit-summary.js';
import { ShareValue } from './share-value.js';

interface AuditFindingsProps {
  readonly audits: readonly SummarisedAudit[];
  /** Undefined asks for what speaks of the provider's own notes. */
  readonly of: Statement | undefined;
}

/** Why nothing was found that speaks of a statement. */
const NOTHING: Readonly<Record<Statement, string | null>> = {
  // By construction there is nothing to be found.
  'labelled PHI': null,
  'a name that nobody labelled': 'No attack on names was tried by an audit that is shown here.',
  'the rest of the text':
    'Nothing was tried by an audit that is shown here: how much can be read is not known.',
};

/** What the attacks of audits came to that speak of one statement, the strongest of each task. */
export function AuditFindings({ audits, of: statement }: AuditFindingsProps): VNode | null {
  const found = audits.flatMap(({ summary }) =>
    (summary?.attacks ?? []).filter((attack) => speaksOf(attack) === statement),
  );
  if (found.length > 0)
    return (
      <WideTable
        name={`Attacks that speak of ${statement ?? 'the notes it was trained on'}`}
        kind="folding"
        columns={COLUMNS}
        rows={strongestOfEachTask(found)}
      />
    );
  const nothing = statement && NOTHING[statement];
  return nothing ? <p class="what">{nothing}</p> : null;
}

const COLUMNS: readonly Column<AttackSummary>[] = [
  {
    heading: 'what an attacker did',
    rowHeading: true,
    cell: ({ task, beatsChance }) =>
      beatsChance ? (
        <strong>{capitalise(DID[task])}</strong>
      ) : (
        <>
          <span class="harmless">No better than guessing:</span> {DID[task]}
        </>
      ),
  },
  { heading: 'right', number: true, cell: ({ success }) => <ShareValue of={success} /> },
  { heading: 'by chance', number: true, cell: ({ chance }) => percent(chance) },
];

function strongestOfEachTask(attacks: readonly AttackSummary[]): AttackSummary[] {
  const gain = ({ success, chance, beatsChance }: AttackSummary) =>
    (beatsChance ? 1 : 0) + success.value - chance;
  const ordered = [...attacks].sort((a, b) => gain(b) - gain(a));
  return ordered.filter(({ task }, at) => ordered.findIndex((other) => other.task === task) === at);
}
