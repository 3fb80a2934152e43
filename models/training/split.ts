import type { Random } from '../tensor/random.js';

/** Draws a share of the items for validation, at least one; the rest trains. Order is kept. */
export function splitOff<T>(
  items: readonly T[],
  share: number,
  random: Random,
): { train: T[]; validation: T[] } {
  const order = items.map((_, i) => i);
  random.shuffle(order);
  const held = new Set(order.slice(0, Math.max(1, Math.round(items.length * share))));
  return {
    train: items.filter((_, i) => !held.has(i)),
    validation: items.filter((_, i) => held.has(i)),
  };
}
