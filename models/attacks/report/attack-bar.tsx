import type { VNode } from 'preact';
import { percent } from '../../../platform/percent-text.js';
import type { AttackReport } from '../attack.js';

/** An attack's share of right answers with its interval, what guessing gives and what none can exceed. */
export function AttackBar({ attack }: { readonly attack: AttackReport }): VNode {
  const { success, chance, limit } = attack;
  const x = (value: number) => (2 + 140 * value).toFixed(1);
  const [low, high] = success.interval;
  const upright = (kind: string, value: number, y1: number, y2: number) => (
    <line class={kind} x1={x(value)} x2={x(value)} y1={y1} y2={y2} />
  );
  return (
    <svg class="bar" viewBox="0 0 144 18" role="img" aria-label={percent(success.value)}>
      <line class="range" x1={x(0)} x2={x(1)} y1="9" y2="9" />
      {upright('guess', chance, 2, 16)}
      {limit && upright('limit', limit.value, 1, 17)}
      <line class="found" x1={x(low)} x2={x(high)} y1="9" y2="9" />
      <circle cx={x(success.value)} cy="9" r="4" />
    </svg>
  );
}
