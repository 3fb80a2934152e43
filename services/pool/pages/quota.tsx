import type { VNode } from 'preact';
import { bytesText } from '../../../platform/amount-text.js';
import { ShareBar } from '../../../platform/pages/share-bar.js';
import { percent } from '../../../platform/percent-text.js';

export interface QuotaProps {
  readonly used: number;
  readonly quota: number;
}

/** How much of what it may store a name has stored. */
export function Quota({ used, quota }: QuotaProps): VNode {
  return (
    <>
      <ShareBar share={used / quota} of="the quota" />
      {bytesText(used)} of {bytesText(quota)}, {percent(used / quota)}
    </>
  );
}
