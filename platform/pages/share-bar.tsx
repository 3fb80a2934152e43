import type { VNode } from 'preact';
import { percent } from '../percent-text.js';

const WIDTH = 144;
const HEIGHT = 12;

/** How much of a whole, from 0 to 1, as a bar; what is more than the whole fills it. */
export function ShareBar({ share, of }: { readonly share: number; readonly of: string }): VNode {
  const filled = WIDTH * Math.min(1, Math.max(0, share));
  return (
    <svg
      class="share"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${percent(share)} of ${of}`}
    >
      <rect class="whole" width={WIDTH} height={HEIGHT} />
      <rect class="part" width={filled} height={HEIGHT} />
    </svg>
  );
}
