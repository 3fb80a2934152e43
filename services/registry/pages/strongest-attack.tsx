import type { VNode } from 'preact';
import { DID } from '../../../models/attacks/report/verdict.js';
import { Badge } from '../../../platform/pages/badge.js';
import { percent } from '../../../platform/percent-text.js';
import type { SummarisedAudit } from './audit-summaries.js';
import { type AttackSummary, strongestOnNames } from './audit-summary.js';

interface StrongestAttackProps {
  /** Of one model, or a single one. */
  readonly audits: readonly SummarisedAudit[];
}

/** What the strongest attack on names came to, with guessing beside it, over some audits. */
export function StrongestAttack({ audits }: StrongestAttackProps): VNode {
  if (audits.length === 0) return <Badge kind="warn">not audited</Badge>;
  const readable = audits.flatMap(({ summary }) => summary ?? []);
  if (readable.length === 0) return <>its audit cannot be read</>;
  const found = readable.flatMap(({ attacks }) => strongestOnNames(attacks) ?? []);
  const strongest = found.sort((a, b) => advantage(b) - advantage(a)).at(0);
  if (!strongest) return <>no attack on names was run</>;
  return (
    <>
      <AttackValue of={strongest} />
      {readable.some(({ isContradictory }) => isContradictory) && (
        <Badge kind="danger">an audit contradicts itself</Badge>
      )}
    </>
  );
}

/** How often an attack was right, how often guessing is, and what it did. */
export function AttackValue({ of: attack }: { readonly of: AttackSummary }): VNode {
  const { task, success, chance, beatsChance } = attack;
  return (
    <>
      {beatsChance ? <strong>{percent(success.value)}</strong> : percent(success.value)}, by chance{' '}
      {percent(chance)}
      <span class="interval">
        {beatsChance ? DID[task] : `no better than guessing: ${DID[task]}`}
      </span>
    </>
  );
}

/** Those that did better than guessing first, by what they gained of what there was to gain. */
function advantage({ beatsChance, success, chance }: AttackSummary): number {
  const gained = chance < 1 ? (success.value - chance) / (1 - chance) : 0;
  return beatsChance ? 1 + gained : gained;
}
