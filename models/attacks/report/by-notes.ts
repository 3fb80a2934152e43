import { type Attack, type AttackReport, type Curve, conduct } from '../attack.js';
import { shareOfNotes } from '../share-of-notes.js';

/** Shares of the attacker's notes. The largest comes first: the smallest says least, and may be left out. */
const SHARES = [1 / 2, 1 / 4, 1 / 8];

/** A run on a share of the notes is taken to need that share of the time, times this. */
const SLACK = 1.3;

interface ByNotes {
  readonly reports: readonly AttackReport[];
  readonly documents: number;
  readonly fewer: readonly {
    readonly documents: number;
    readonly reports: readonly AttackReport[];
  }[];
}

/**
 * Runs an attack, and runs it again with half, a quarter and an eighth of the attacker's notes. The
 * curve over them shows whether an attacker with more notes would do better; it counts those that were learned from,
 * where the attack states these (`notesLearnedFrom`). Where time is short, the smaller runs are left out.
 */
export function byNotes(attack: Attack): Attack<void, ByNotes> {
  return {
    name: attack.name,
    minutes: attack.minutes,
    reports: attack.reports,
    obstacle: (target) => attack.obstacle?.(target),
    async prepare() {},
    async run(target, context) {
      const startedMs = performance.now();
      const reports = await conduct(attack, target, context);
      const tookMs = performance.now() - startedMs;
      const fewer: ByNotes['fewer'][number][] = [];
      for (const share of SHARES) {
        const { examples, documents } = shareOfNotes(target.train, share);
        if ((context.msLeft?.() ?? Number.POSITIVE_INFINITY) < SLACK * share * tookMs) break;
        const own = { ...context, random: context.random.fork(`${share}`), run: undefined };
        const smaller = { ...target, train: examples };
        if (attack.obstacle?.(smaller)) break;
        const found = await conduct(attack, smaller, own);
        // An attack that was cut short is weaker than one with these notes needs to be.
        if (found.some(({ shortened }) => shortened !== null)) break;
        fewer.push({ documents, reports: found });
      }
      return { reports, fewer, documents: shareOfNotes(target.train, 1).documents };
    },
    report: ({ reports, fewer, documents }) =>
      reports.map((report, at) => {
        const sizes = [
          ...fewer.map((each) => ({ at: each.documents, report: each.reports[at] })),
          { at: documents, report },
        ];
        return {
          ...report,
          curves: [...report.curves, ...notesCurve(sizes)],
          shortened:
            [
              report.shortened,
              fewer.length < SHARES.length &&
                `${fewer.length} of ${SHARES.length} attackers with fewer notes`,
            ]
              .filter(Boolean)
              .join('; ') || null,
        };
      }),
  };
}

function notesCurve(
  sizes: readonly { readonly at: number; readonly report: AttackReport }[],
): Curve[] {
  if (sizes.length < 2) return [];
  const points = [...sizes]
    .sort((a, b) => a.at - b.at)
    .map(({ at, report: { success, limit, settings } }) => ({
      at: Number(settings.notesLearnedFrom ?? at),
      success: success.value,
      interval: success.interval,
      limit: limit?.value ?? null,
    }));
  return [{ over: 'notes', points }];
}
