import type { VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import { percent } from '../../../platform/percent-text.js';
import type { Slice } from '../attack.js';
import type { AuditReport } from './audit-report.js';
import { SliceTable } from './slice-table.js';
import { SwapLimits } from './swap-limits.js';
import { WorstCase } from './worst-case.js';

/** What no attack can exceed: by pairs, by entities, by swaps, and at worst. */
export function Limits({ report }: { readonly report: AuditReport }): VNode {
  const { attacked, certified, entities, swaps, neighbours, worstCase } = report;
  return (
    <>
      <h2>Limits of every attack</h2>
      <PairLimits certified={certified} />
      <p>
        For an entity that is another wherever it occurs in its note ({entities.entities} entities,{' '}
        {entities.meanSentences.toFixed(1)} sentences each on average): at most{' '}
        <strong>{percent(entities.bound.value)}</strong> <Interval of={entities.bound.interval} />,
        median {percent(entities.median)}, 95th percentile {percent(entities.percentile95)}.
        {attacked === 'replaced-contribution' && ` ${surrogatesText(entities)}`} For several
        releases of one sentence: {certified.releases.map(releaseLimit).join(', ')}. These limits
        are estimated from {certified.draws} draws of the input noise a pair and hold for real
        arithmetic.
      </p>
      <SlicedLimit of="The limit" summary="The same by what was moved" slices={certified.slices} />
      <SlicedLimit of={ENTITY} summary={ENTITY} slices={entities.slices} />
      {swaps && neighbours && <SwapLimits swaps={swaps} neighbours={neighbours} />}
      <SlicedLimit of={SWAP} summary={SWAP} slices={swaps?.slices} />
      <h2>The worst case</h2>
      <WorstCase worstCase={worstCase} />
    </>
  );
}

/** A name that nobody labelled stands in its note under its own words each time. */
function surrogatesText({ recurring }: AuditReport['entities']): string {
  return recurring === undefined
    ? 'Each mention of an entity has a surrogate of its own here: a name that nobody labelled and that recurs is easier to tell.'
    : `Each entity has one surrogate here, wherever it stands in its note, in fresh releases: ${percent(recurring)} of them stand in several sentences.`;
}

const ENTITY = 'An entity wherever it occurs, by what it is';
const SWAP = 'A random swap, by what the entity is';

function PairLimits({ certified }: Pick<AuditReport, 'certified'>): VNode {
  const { bound, median, percentile95, percentile99, maximum, shareOver60 } = certified;
  return (
    <p>
      For one release of a sentence and one moved word, averaged over the {certified.pairs} balanced
      pairs of this audit: right in at most <strong>{percent(bound.value)}</strong>{' '}
      <Interval of={bound.interval} />. Other notes of the kind may come to more: the verdict above
      says <strong>{percent(bound.corrected[1])}</strong>, the upper end of this mean’s interval,
      widened so that the intervals of all attacks of this audit hold together with 95 % confidence.
      A mean hides open pairs: median {percent(median)}, 95th percentile {percent(percentile95)},
      99th {percent(percentile99)}, greatest {percent(maximum)}; {percent(shareOver60)} of the pairs
      are over 60 %.
    </p>
  );
}

function releaseLimit({
  releases,
  bound,
  interval: [low, high],
}: AuditReport['certified']['releases'][number]): string {
  return `${releases}: ${percent(bound)} [${percent(low)}, ${percent(high)}]`;
}

interface SlicedLimitProps {
  readonly of: string;
  readonly summary: string;
  readonly slices: readonly Slice[] | undefined;
}

function SlicedLimit({ of, summary, slices = [] }: SlicedLimitProps): VNode | null {
  if (slices.length === 0) return null;
  return (
    <details>
      <summary>{summary}</summary>
      <SliceTable of={of} slices={slices} heading="at most right" />
    </details>
  );
}
