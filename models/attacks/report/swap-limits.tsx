import type { VNode } from 'preact';
import { Interval } from '../../../platform/pages/interval.js';
import { percent } from '../../../platform/percent-text.js';
import type { AuditReport } from './audit-report.js';

interface SwapLimitsProps {
  readonly swaps: NonNullable<AuditReport['swaps']>;
  readonly neighbours: NonNullable<AuditReport['neighbours']>;
}

/** What the limits for near words leave open; audits of older formats do not state it. */
export function SwapLimits({ swaps, neighbours }: SwapLimitsProps): VNode {
  const { bound, nearby, median, percentile95, maximum, medianDistance, unmatched } = swaps;
  const share = neighbours.containing / Math.max(1, neighbours.neighbours);
  return (
    <p>
      The limits above speak of words that become near words, and a near word can be much the same
      word: of the {neighbours.neighbours.toFixed(1)} neighbours of a word on average,{' '}
      {neighbours.containing.toFixed(1)} ({percent(share)}) contain the word itself. A swap with an
      arbitrary name is another matter, and can be easier to tell; here is how much. For one mention
      of an entity that becomes a random other entity of its type and number of words ({swaps.swaps}{' '}
      swaps): at most <strong>{percent(bound.value)}</strong> <Interval of={bound.interval} />,
      median {percent(median)}, 95th percentile {percent(percentile95)}, greatest {percent(maximum)}
      ; half of the swaps move the vectors by more than {medianDistance.toFixed(2)} noise
      deviations. For the same mentions whose words become near ones: at most{' '}
      {percent(nearby.value)} <Interval of={nearby.interval} />.
      {unmatched > 0 && ` Left out are ${unmatched} entities that no other could stand in for.`}
    </p>
  );
}
