import type { Accounts } from './accounts.js';
import type { Judged } from './judged.js';

/** What changes where an entity is another one. */
export interface Change {
  readonly name: string;
  /** It and its shorter forms. */
  readonly moving: readonly string[];
  /** Whole names of the job that change with one of these, and the names that each may fall into, as `partOf` tells them. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
}

export function changeOf(
  name: string,
  { formsOf, moves }: Judged,
  { standsIn, entitiesIn }: Accounts,
): Change {
  const moving = [...new Set([name, ...(formsOf.get(name) ?? [])])];
  const changed = new Set(moving.flatMap((each) => [...(moves.get(each)?.keys() ?? [])]));
  const parts = new Map<string, ReadonlySet<string>>();
  for (const each of changed) {
    const movers = moving.filter((mover) => moves.get(mover)?.has(each));
    const found = (standsIn.get(each) ?? []).map((sentence) => {
      const here = movers.filter((mover) => entitiesIn[sentence]?.has(mover));
      return partOf(each, name, here);
    });
    if (found.length > 0) parts.set(each, new Set(found));
  }
  return { name, moving, parts };
}

/**
 * Tells a sentence with a whole name from those where it may become another one, by which of an entity and its shorter
 * forms move a word of it there. Beside the entity they move nothing else; nor, in one of these, do the others.
 */
export function partOf(name: string, entity: string, movers: readonly string[]): string {
  return [entity, name].find((each) => movers.includes(each)) ?? movers.join(' ');
}
