import type { Attack } from './attack.js';

/**
 * The attacks that a limited time is enough for, in their order: each that still fits beside those
 * before it. So a short audit is a part of the full one, and none of its attacks is cut to nothing.
 */
export function attacksWithin(attacks: readonly Attack[], minutes?: number): Attack[] {
  if (minutes === undefined) return [...attacks];
  let left = minutes;
  return attacks.filter((attack) => {
    if (attack.minutes > left) return false;
    left -= attack.minutes;
    return true;
  });
}
