import type { ComponentChildren, VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import { WideTable } from '../../../platform/pages/wide-table.js';
import { percent } from '../../../platform/percent-text.js';
import type { AttackReport } from '../attack.js';
import { type AuditReport, comparisonsOf } from './audit-report.js';
import { type ComparedAudit, comparedAttacks } from './compared-attacks.js';
import { beatsChance } from './guessing.js';

interface ComparisonRow {
  readonly what: string;
  readonly cell: (audit: ComparedAudit, at: number) => ComponentChildren;
}

/** A column for each audit; rows of what was attacked, what attackers did, and what none can. */
export function ComparisonTable({ audits }: { readonly audits: readonly ComparedAudit[] }): VNode {
  const attacks = comparedAttacks(audits).map(
    ({ what, attacks }): ComparisonRow => ({
      what,
      cell: ({ report }, at) => attackCell(attacks[at], report),
    }),
  );
  const scored = audits.some(({ f1 }) => f1);
  return (
    <WideTable
      name="Audits side by side"
      rows={[...FACTS, ...(scored ? [F1] : []), ...attacks, ...LIMITS]}
      columns={[
        { heading: 'what attackers tried', rowHeading: true, cell: ({ what }) => what },
        ...audits.map((audit, at) => ({
          heading: audit.label,
          number: true,
          cell: ({ cell }: ComparisonRow) => cell(audit, at),
        })),
      ]}
    />
  );
}

/** As much of a digest as tells models apart for people. */
const DIGEST = 12;

const ATTACKED_WORDS = {
  bundle: 'as published',
  contribution: 'own releases',
  'replaced-contribution': 'own releases, entities replaced',
  'noise-off': 'without its noise',
  'raw-embeddings': 'word vectors instead',
} as const;

const FACTS: readonly ComparisonRow[] = [
  {
    what: 'model',
    cell: ({ report: { heading, model } }) => (
      <>
        {heading && `${heading.name} ${heading.version}`}
        <span class="interval">{model.slice(0, DIGEST)}…</span>
      </>
    ),
  },
  {
    what: 'audited',
    cell: ({ report: { heading } }) =>
      heading ? (
        <>
          {heading.created.slice(0, 10)}
          <span class="interval">{heading.corpus}</span>
        </>
      ) : (
        '–'
      ),
  },
  { what: 'attacked', cell: ({ report }) => ATTACKED_WORDS[report.attacked] },
  { what: 'candidates of a moved word', cell: ({ report }) => report.candidates },
];

const F1: ComparisonRow = {
  what: 'F1 of the de-identifier',
  cell: ({ f1 }) => (f1 ? <Share of={f1} /> : '–'),
};

const LIMITS: readonly ComparisonRow[] = [
  {
    what: 'limit of every attack: one word, one release',
    cell: ({ report }) => <Share of={report.certified.bound} />,
  },
  {
    what: 'the same, 99th percentile of pairs',
    cell: ({ report }) => percent(report.certified.percentile99),
  },
  {
    what: 'limit for an entity in a whole note',
    cell: ({ report }) => <Share of={report.entities.bound} />,
  },
];

function attackCell(attack: AttackReport | null, report: AuditReport): ComponentChildren {
  if (attack === null) return 'not run';
  return (
    <>
      <Share of={attack.success} strong={beatsChance(attack, comparisonsOf(report))} />
      <span class="interval">guessing {percent(attack.chance)}</span>
    </>
  );
}

interface ShareProps {
  readonly of: { readonly value: number; readonly interval: readonly [number, number] };
  readonly strong?: boolean;
}

function Share({ of: { value, interval }, strong = false }: ShareProps): VNode {
  return (
    <>
      {strong ? <strong>{percent(value)}</strong> : percent(value)}
      <Interval of={interval} />
    </>
  );
}
