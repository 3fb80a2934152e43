import { type Attack, type AttackContext, type AttackReport, conduct } from './attack.js';
import type { AuditDirectory } from './report/audit-directory.js';
import type { AuditTarget } from './target.js';

export interface AttacksWithin {
  /** When they must have ended, by `performance.now()`. */
  readonly untilMs: number;
  readonly directory?: AuditDirectory | undefined;
  /** What an attack is given but for its time. */
  contextOf(attack: Attack): AttackContext;
}

export interface AttacksDone {
  /** In the order of the attacks. */
  readonly reports: readonly AttackReport[];
  /** Those that time was too short for. */
  readonly notRun: readonly Attack[];
}

const MINUTE_MS = 60_000;

/**
 * Runs as many attacks as a limited time is enough for, in their order. Each gets a share of the time
 * left in proportion to the minutes that it is expected to need. Before each attack the plan is made
 * anew: the expectations are scaled by how long the attacks so far really took, so that time saved goes
 * to the later ones. The first attack always runs, even if it is cut short; any other is left out where
 * its minutes do not fit. Attacks whose reports are in `directory` are not run again.
 */
export async function attacksWithin(
  attacks: readonly Attack[],
  target: AuditTarget,
  { untilMs, directory, contextOf }: AttacksWithin,
): Promise<AttacksDone> {
  const finished = new Map<Attack, readonly AttackReport[]>();
  for (const attack of attacks) {
    const reports = await directory?.finished(attack.name);
    if (reports) finished.set(attack, reports);
  }
  const pace = new Pace();
  for (;;) {
    const startedMs = performance.now();
    const pending = attacks.filter((attack) => !finished.has(attack));
    const next = nextAttack(pending, (untilMs - startedMs) / MINUTE_MS, pace);
    if (!next)
      return { reports: attacks.flatMap((each) => finished.get(each) ?? []), notRun: pending };
    const { attack, minutes } = next;
    const msLeft = () => startedMs + minutes * MINUTE_MS - performance.now();
    const context = { ...contextOf(attack), msLeft, expired: () => msLeft() < 0 };
    const reports = await conduct(attack, target, context);
    await directory?.finish(attack.name, reports);
    finished.set(attack, reports);
    pace.add(attack, (performance.now() - startedMs) / MINUTE_MS);
  }
}

/** How long attacks took, of how long they were expected to take. */
class Pace {
  #expected = 0;
  #taken = 0;

  get isMeasured(): boolean {
    return this.#expected > 0;
  }

  add({ minutes }: Attack, taken: number): void {
    this.#expected += minutes;
    this.#taken += taken;
  }

  minutesOf({ minutes }: Attack): number {
    return this.isMeasured ? (minutes * this.#taken) / this.#expected : minutes;
  }
}

/** The first that fits, and the minutes that it may take beside those that fit after it. */
function nextAttack(
  pending: readonly Attack[],
  minutesLeft: number,
  pace: Pace,
): { readonly attack: Attack; readonly minutes: number } | undefined {
  if (minutesLeft <= 0) return undefined;
  let left = minutesLeft;
  const [attack, ...others] = pending.filter((each, at) => {
    const isForced = at === 0 && !pace.isMeasured;
    const minutes = pace.minutesOf(each);
    if (!isForced && minutes > left) return false;
    left -= minutes;
    return true;
  });
  if (!attack) return undefined;
  if (minutesLeft === Number.POSITIVE_INFINITY) return { attack, minutes: minutesLeft };
  const planned = others.reduce((sum, { minutes }) => sum + minutes, attack.minutes);
  return { attack, minutes: (minutesLeft * attack.minutes) / planned };
}
