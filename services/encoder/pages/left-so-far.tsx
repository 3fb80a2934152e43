import type { VNode } from 'preact';
import { countText } from '../../../platform/amount-text.js';
import { type Fact, Facts } from '../../../platform/pages/facts.js';
import { percent } from '../../../platform/percent-text.js';
import { keptTypesIn } from '../../../proto/kept-types.js';
import { limitText } from '../../http/pages/limit-text.js';
import type { Policy } from '../../institution/approval/policy.js';
import {
  type LedgerSummary,
  summariseLedger,
} from '../../institution/release/ledger/ledger-summary.js';

interface LeftSoFarProps {
  readonly home: string;
  readonly policy?: Pick<Policy, 'maxReleases' | 'maxCopies'> | undefined;
}

/** What the ledger of a home has counted, and what it keeps to from now on. */
export function LeftSoFar({ home, policy }: LeftSoFarProps): VNode {
  const summary = summariseLedger(home);
  if (!summary) return <p>Nothing: there is no ledger yet.</p>;
  return <Facts facts={[...counts(summary), ...bounds(summary, policy)]} />;
}

function counts({ sentences, tokens, segments, pending }: LedgerSummary): Fact[] {
  return [
    ['Sentences', `${countText(sentences)}, or pieces of them, of ${countText(tokens)} tokens`],
    [
      'Segments',
      pending === 0
        ? countText(segments)
        : `${countText(segments)}, of which ${countText(pending)} wait in the outbox for tacet contribute`,
    ],
  ];
}

function bounds(summary: LedgerSummary, policy: LeftSoFarProps['policy']): Fact[] {
  const { bounds: kept, laxestLimit } = summary;
  const { entities, keptTypes, maxReleases, minDocuments, maxAlike } = kept;
  const { labelDocuments } = kept;
  const most = maxReleases ?? policy?.maxReleases;
  const facts: (Fact | undefined)[] = [
    entities === null ? undefined : ['Entities', treated(kept)],
    !keptTypes
      ? undefined
      : ['Kept', `entities of ${keptTypesIn(keptTypes).join(', ')}; of no other type from now on`],
    most === undefined || most === null
      ? undefined
      : ['Releases', `a sentence leaves at most ${times(most)}`],
    maxAlike === null
      ? undefined
      : ['Alike', `at most ${maxAlike} sentences leave that differ in their entities alone`],
    labelDocuments === null || labelDocuments === 1
      ? undefined
      : ['Labels', `those of each piece that leaves are of ${labelDocuments} notes or more`],
    minDocuments === null
      ? undefined
      : ['Quorum', `nothing leaves but together with that of ${minDocuments} notes or more`],
    laxestLimit === null ? undefined : ['Certified limit', limited(laxestLimit, kept)],
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** A home that replaces certifies a limit where it keeps some types alone. */
function treated({ entities, certified }: LedgerSummary['bounds']): string {
  const keptSome = entities === 'replaced' && certified !== null;
  return keptSome
    ? 'replaced, but for those of types that a job kept'
    : `${entities} in all that left, for good`;
}

/** A job may be stricter than those before it, and never laxer. */
function limited(
  laxest: number,
  { entities, neighbours, certified }: LedgerSummary['bounds'],
): string {
  const among =
    neighbours === null
      ? 'their candidates'
      : `the candidates (${neighbours} in the strictest job)`;
  const others = entities === 'replaced' ? ' It says nothing of entities that were replaced.' : '';
  const isStricter = certified !== null && certified < laxest;
  const since = isStricter
    ? ` It is the laxest of any job, each portion having been held to its own job's; no job may have one over ${percent(certified)} from now on.`
    : '';
  return `Of entities that were kept, among ${among} of a moved word, ${limitText(laxest)} Those over it add up over jobs.${others}${since}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
