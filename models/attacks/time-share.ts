import type { AttackContext } from './attack.js';

/** The context for a part of an attack's work: its time is up after `share` of what is left now. */
export function withinShare(context: AttackContext, share: number): AttackContext {
  const { msLeft } = context;
  if (!msLeft) return context;
  const after = (1 - share) * msLeft();
  const left = () => msLeft() - after;
  return { ...context, msLeft: left, expired: () => left() < 0 };
}
