import type { AttackContext } from './attack.js';

/** The same context for a part of the work, which may take this share of the time that is left. */
export function withinShare(context: AttackContext, share: number): AttackContext {
  const { msLeft } = context;
  if (!msLeft) return context;
  const after = (1 - share) * msLeft();
  const left = () => msLeft() - after;
  return { ...context, msLeft: left, expired: () => left() < 0 };
}
