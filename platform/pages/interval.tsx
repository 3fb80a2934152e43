import type { VNode } from 'preact';
import { percent } from '../percent-text.js';

/** `2.5 % – 4.1 %`, smaller than what it belongs to. */
export function Interval({ of: [low, high] }: { readonly of: readonly [number, number] }): VNode {
  return (
    <span class="interval">
      {percent(low)} – {percent(high)}
    </span>
  );
}
