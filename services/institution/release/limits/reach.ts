import { sum } from '../../../../platform/sum.js';
import type { Accounts } from './accounts.js';
import type { Change } from './change.js';
import type { Judged } from './judged.js';
import { type Count, FEWEST, MOST_OVER, type Round } from './type-rounds.js';

/** What another one in the place of an entity might bring over the limit, or under it. */
interface Reach extends Change {
  /** Entities of the job. */
  readonly reached: readonly string[];
  /** Of each twin, the other entities that bear the name of it or of its shorter forms, where there are any. */
  readonly bearers: readonly (readonly string[])[];
  /** How many it reached in earlier jobs. */
  readonly companions: number;
}

function reachOf(
  change: Change,
  { charges, moves }: Judged,
  { spent, sentences }: Accounts,
  longerFormsOf: ReadonlyMap<string, readonly string[]>,
): Reach {
  const { moving } = change;
  const withLongerForms = (name: string) => [name, ...(longerFormsOf.get(name) ?? [])];
  const near = moving.flatMap((each) =>
    (sentences.get(each) ?? []).flatMap((index) =>
      (charges[index] ?? []).map(({ entity }) => entity),
    ),
  );
  const twins = moving.flatMap((each) => [moves.get(each)?.get(each) ?? []]);
  const bearersOf = (at: number) => {
    const names = twins.flatMap((own) => own[at] ?? []);
    const others = new Set(names.flatMap(withLongerForms).filter((each) => sentences.has(each)));
    for (const each of moving) others.delete(each);
    return [...others];
  };
  const count = Math.max(0, ...twins.map(({ length }) => length));
  const bearers = Array.from({ length: count }, (_, at) => bearersOf(at));
  return {
    ...change,
    reached: [...new Set([...moving, ...near].flatMap(withLongerForms))],
    bearers: bearers.filter(({ length }) => length > 0),
    companions: sum(moving.map((each) => spent.get(each)?.companions ?? 0)),
  };
}

/** Entities that reach so many others that a twin of theirs might change what is withheld, in any round. */
export function toldBy(
  judged: Judged,
  accounts: Accounts,
  changes: readonly Change[],
  over: ReadonlySet<string>,
  rounds: readonly Round[],
): string[] {
  const longerFormsOf = new Map<string, string[]>();
  for (const name of accounts.names)
    for (const form of judged.formsOf.get(name) ?? [])
      if (form !== name) longerFormsOf.set(form, [...(longerFormsOf.get(form) ?? []), name]);
  const reaches = changes.map((change) => reachOf(change, judged, accounts, longerFormsOf));
  return rounds.flatMap(({ types, counts }) => {
    const isOf = (type: number) => (name: string) => types.get(name)?.has(type) ?? false;
    const longerForms = new Map(
      [...counts.keys()].map((type) => [type, mostTogether(longerFormsOf, isOf(type))]),
    );
    /** The most entities of a type that so many others reach, of which nothing else is known. */
    const reachedByAny = (companions: number, type: number) => {
      const most = longerForms.get(type) ?? [0];
      return companions + (most[Math.min(companions, most.length - 1)] as number);
    };
    const isTold = ({ parts, reached, bearers, companions }: Reach) =>
      [...counts].some(([type, count]) => {
        const own = reached.filter(isOf(type));
        const overs = own.filter((each) => over.has(each)).length;
        const born = Math.max(0, ...bearers.map((each) => each.filter(isOf(type)).length));
        const earlier = reachedByAny(companions, type);
        const changed = [...parts.keys()].filter(isOf(type));
        const added = sum(changed.map((each) => (parts.get(each)?.size ?? 1) - 1));
        return mayChange(count, {
          more: own.length - overs + added + born + earlier,
          fewer: overs + earlier,
          added,
          gone: changed.length,
        });
      });
    return reaches.filter(isTold).map(({ name }) => name);
  });
}

/** How many longer forms of one kind so many entities have together at most: [0, of one, of two, ...]. */
function mostTogether(
  longerFormsOf: ReadonlyMap<string, readonly string[]>,
  isMeant: (name: string) => boolean,
): number[] {
  const numbers = [...longerFormsOf.values()].map((longer) => longer.filter(isMeant).length);
  const most = [0];
  for (const each of numbers.filter((number) => number > 0).sort((a, b) => b - a))
    most.push((most.at(-1) as number) + each);
  return most;
}

/**
 * Whether a type is decided otherwise where up to `more` entities come over the limit, up to `fewer` leave it, up to
 * `added` are entities beside those that were, and up to `gone` are none of their own any more.
 */
function mayChange(
  { entities, over, isWithheld }: Count,
  { more, fewer, added, gone }: Readonly<Record<'more' | 'fewer' | 'added' | 'gone', number>>,
): boolean {
  const [least, most] = [entities - gone, entities + added];
  if (isWithheld) return most >= FEWEST && (over - fewer) * MOST_OVER <= most;
  return least < FEWEST || (over + more) * MOST_OVER > least;
}
