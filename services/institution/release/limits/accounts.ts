import { isWhole } from './certify.js';
import { type Charge, NO_CHARGE, plus, type Spent } from './charge.js';
import type { Judged } from './judged.js';

/** What the entities of a job are charged if all is released that the first part lets through. */
export interface Accounts {
  readonly names: readonly string[];
  readonly spent: ReadonlyMap<string, Spent>;
  readonly charges: ReadonlyMap<string, Charge>;
  /** Sentences of the job that the first part lets through. */
  readonly sentences: ReadonlyMap<string, readonly number[]>;
  /** How many of those have its whole name. */
  readonly whole: ReadonlyMap<string, number>;
  /** All sentences of the job with its whole name. */
  readonly standsIn: ReadonlyMap<string, readonly number[]>;
  /** By sentence. */
  readonly entitiesIn: readonly ReadonlySet<string>[];
}

export function accountsOf(
  { charges }: Judged,
  capped: readonly boolean[],
  spentOn: (entity: string) => Spent,
): Accounts {
  const totals = new Map<string, Charge>();
  const sentences = new Map<string, number[]>();
  const whole = new Map<string, number>();
  const standsIn = new Map<string, number[]>();
  for (const [index, entities] of charges.entries()) {
    for (const charge of entities) {
      const { entity } = charge;
      if (!sentences.has(entity)) {
        sentences.set(entity, []);
        standsIn.set(entity, []);
      }
      if (isWhole(charge)) standsIn.get(entity)?.push(index);
      if (capped[index]) continue;
      sentences.get(entity)?.push(index);
      if (isWhole(charge)) whole.set(entity, (whole.get(entity) ?? 0) + 1);
      totals.set(entity, plus(totals.get(entity) ?? NO_CHARGE, charge));
    }
  }
  const names = [...sentences.keys()];
  const spent = new Map(names.map((name) => [name, spentOn(name)]));
  const entitiesIn = charges.map((entities) => new Set(entities.map(({ entity }) => entity)));
  return { names, spent, charges: totals, sentences, whole, standsIn, entitiesIn };
}
