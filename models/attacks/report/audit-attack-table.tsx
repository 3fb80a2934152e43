import type { VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { AttackReport } from '../attack.js';
import { capitalise } from '../capitalise.js';
import { isCalibrated } from '../learned/calibrated.js';
import { AttackBar } from './attack-bar.js';
import { AttackNumbers } from './attack-numbers.js';
import { type AuditReport, comparisonsOf } from './audit-report.js';
import { beatsChance } from './guessing.js';
import { DID, whereSure } from './verdict.js';

interface ReportProps {
  readonly report: AuditReport;
}

/** The attacks of an audit as a table, strongest first, and more of their numbers. */
export function AttackSection({ report }: ReportProps): VNode {
  const { attacks } = report;
  if (attacks.length === 0) return <p>No attack was run to its end.</p>;
  return (
    <>
      <AttackTable report={report} />
      <p class="note">
        Each bar runs from 0 to 100 %: the dot is the share of right answers with its 95 % interval,
        the grey tick what guessing without the vectors gives, the dashed red tick what no attack
        can exceed on the same tries. An attack is called better than guessing only where luck
        hardly explains it, all attacks of this audit taken together: in its share of right answers
        or, for pairs, where it is surest of itself.
      </p>
      <details>
        <summary>More numbers, for specialists</summary>
        <AttackNumbers report={report} />
        <p class="note">
          Detectable is the smallest share of right answers that as many tries would have told from
          guessing, four times of five: smaller effects may be there and not be seen. ε ≥ is proved
          by the attack with 95 % confidence over all thresholds: no differential privacy with a
          smaller ε (at δ = 10⁻⁵) can hold for such pairs; pairs of one given release prove none.
          With fewer than 1000 fake pairs, 0.1 % means no false alarm. Blind is a like attacker
          without the vectors, by what is shared in clear alone.
        </p>
      </details>
    </>
  );
}

function AttackTable({ report }: ReportProps): VNode {
  return (
    <WideTable
      name="Attacks"
      kind="folding"
      rows={report.attacks}
      columns={[
        {
          heading: 'what the attacker did',
          cell: (attack) => <Achievement attack={attack} report={report} />,
        },
        {
          heading: 'right answers',
          number: true,
          cell: ({ success }) => (
            <>
              {percent(success.value)}
              <Interval of={success.interval} />
            </>
          ),
        },
        {
          heading: 'drawn from 0 to 100 %',
          unseen: true,
          cell: (attack) => <AttackBar attack={attack} />,
        },
        { heading: 'by guessing', number: true, cell: ({ chance }) => percent(chance) },
        {
          heading: 'at most possible',
          number: true,
          cell: ({ limit }) => (limit ? percent(limit.value) : '–'),
        },
      ]}
    />
  );
}

/** What an attack did, against what, and with what. */
function Achievement({ attack, report }: ReportProps & { readonly attack: AttackReport }): VNode {
  const { name: attackName, task, statement, description, trials } = attack;
  const context = comparisonsOf(report);
  const sure = whereSure(attack, context);
  return (
    <>
      {beatsChance(attack, context) ? (
        <strong>{capitalise(DID[task])}</strong>
      ) : (
        <>
          <span class="harmless">No better than guessing:</span> {DID[task]}
        </>
      )}
      {sure && `: it ${sure}`}
      <br />
      <span class="what">
        {statement && `Of ${statement}. `}Attacker: {description}; {trials} tries ({attackName})
        {!isCalibrated(attack, report.baselines) && NOT_CALIBRATED}.
      </span>
    </>
  );
}

const NOT_CALIBRATED = '; not calibrated: on these notes it fails on the word vectors too';
