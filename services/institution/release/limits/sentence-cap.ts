import { sum } from '../../../../platform/sum.js';
import type { Accounts } from './accounts.js';
import { type Certificate, type EntityCharge, isWhole } from './certify.js';
import { type Change, partOf } from './change.js';
import type { Spent } from './charge.js';
import type { Judged } from './judged.js';
import type { WithholdPolicy } from './withhold-policy.js';

/** Part 1, in the order of the sentences, which must not tell of them; and the names for which it withholds any. */
export function applyCap(
  charges: Certificate['charges'],
  spentOn: (entity: string) => Spent,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): { readonly capped: boolean[]; readonly full: ReadonlySet<string> } {
  const counts = new Map<string, number>();
  const full = new Set<string>();
  const countOf = ({ entity }: EntityCharge) => counts.get(entity) ?? spentOn(entity).sentences;
  const capped = charges.map((entities) => {
    const whole = entities.filter(isWhole);
    const reached = whole.filter((each) => countOf(each) >= maxSentencesPerEntity);
    for (const { entity } of reached) full.add(entity);
    if (reached.length === 0) for (const each of whole) counts.set(each.entity, countOf(each) + 1);
    return reached.length > 0;
  });
  return { capped, full };
}

/** Twins for which part 1 might decide otherwise: a name for which it withholds falls apart, or several become one in too many sentences. */
export function toldTwinsOf(
  changes: readonly Change[],
  full: ReadonlySet<string>,
  { moves }: Judged,
  { spent, whole }: Accounts,
  spentOn: (entity: string) => Spent,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): Map<string, boolean[]> {
  if (maxSentencesPerEntity === Number.POSITIVE_INFINITY) return new Map();
  const counts = new Map<string, number>();
  const countOf = (name: string) => {
    const known = counts.get(name);
    if (known !== undefined) return known;
    const count = (spent.get(name) ?? spentOn(name)).sentences + (whole.get(name) ?? 0);
    counts.set(name, count);
    return count;
  };
  const fallsApart = (name: string, { name: entity, moving, parts }: Change) => {
    const own = new Set(parts.get(name));
    // Of the notes of earlier jobs it is known only that they had it.
    if ((spent.get(name)?.sentences ?? 0) > 0)
      own.add(partOf(name, entity, moving.includes(name) ? [name] : []));
    return own.size > 1;
  };
  return new Map(
    changes.map((change) => {
      const { name, moving, parts } = change;
      const isApart = new Map(
        [...parts.keys()].map((each) => [each, full.has(each) && fallsApart(each, change)]),
      );
      const moved = moving.flatMap((mover) =>
        [...(moves.get(mover) ?? [])].filter(([each]) => parts.has(each)),
      );
      const isTold = (at: number) => {
        const joined = new Map<string, Set<string>>();
        for (const [each, twins] of moved) {
          const twin = twins[at] as string;
          if (twin === each) continue;
          if (isApart.get(each)) return true;
          joined.set(twin, (joined.get(twin) ?? new Set([twin])).add(each));
        }
        return [...joined.values()].some((own) => {
          const known = [...own].map(countOf).filter((count) => count > 0);
          return known.length > 1 && sum(known) > maxSentencesPerEntity;
        });
      };
      return [name, Array.from({ length: moved[0]?.[1].length ?? 0 }, (_, at) => isTold(at))];
    }),
  );
}
