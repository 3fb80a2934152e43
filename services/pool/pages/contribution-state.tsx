import type { VNode } from 'preact';
import { Badge } from '../../../platform/pages/badge.js';
import { Time } from '../../../platform/pages/time.js';
import type { Contribution } from '../../../pool-store/contributions/contribution-records.js';

/** Whether the pool still has it. */
export function ContributionState({ withdrawn }: Pick<Contribution, 'withdrawn'>): VNode {
  if (withdrawn === null) return <Badge kind="good">held</Badge>;
  return (
    <>
      <Badge>withdrawn</Badge> <Time iso={withdrawn} precision="day" />
    </>
  );
}
