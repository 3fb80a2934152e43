import { typeOfLabel } from '../../../../models/certification/entity.js';
import type { Judged } from './judged.js';
import type { WithholdPolicy } from './withhold-policy.js';

/** One in so many entities of a type may be over the limit. */
export const MOST_OVER = 20;
/** A type of fewer entities is withheld: one of them more or less would decide. */
export const FEWEST = 2 * MOST_OVER;

/** What would leave if some types were withheld. */
export interface Round {
  readonly withheld: readonly boolean[];
  /** Of entities that have a word that can move, the types under which a token of their whole name leaves. */
  readonly types: ReadonlyMap<string, ReadonlySet<number>>;
  readonly counts: ReadonlyMap<number, Count>;
}

export interface Count {
  readonly entities: number;
  readonly over: number;
  readonly isWithheld: boolean;
}

/** Part 2: what is counted once some types are withheld, again and again until no more are. */
export function roundsOf(
  judged: Judged,
  capped: readonly boolean[],
  over: ReadonlySet<string>,
  policy: WithholdPolicy,
): Round[] {
  const typesIn = judged.labels.map((labels) => new Set(Array.from(labels, typeOfLabel)));
  const rounds: Round[] = [];
  for (;;) {
    const withheldTypes = withheldTypesOf(rounds);
    const withheld = capped.map(
      (isCapped, i) => isCapped || [...withheldTypes].some((type) => typesIn[i]?.has(type)),
    );
    const round = roundOf(judged, withheld, over, policy);
    rounds.push(round);
    if (![...round.counts.values()].some(({ isWithheld }) => isWithheld)) return rounds;
  }
}

export function withheldTypesOf(rounds: readonly Round[]): Set<number> {
  const types = rounds.flatMap(({ counts }) =>
    [...counts].filter(([, { isWithheld }]) => isWithheld).map(([type]) => type),
  );
  return new Set(types);
}

function roundOf(
  { charges, labels, immovableEntities, leavesOf }: Judged,
  withheld: readonly boolean[],
  over: ReadonlySet<string>,
  { limit }: WithholdPolicy,
): Round {
  const leaves = leavesOf?.(withheld) ?? (() => true);
  const types = new Map<string, Set<number>>();
  const all = new Set<number>();
  for (const [i, own] of charges.entries()) {
    if (withheld[i]) continue;
    const typeAt = (token: number) => typeOfLabel(labels[i]?.[token] as number);
    for (const token of labels[i]?.keys() ?? [])
      if (typeAt(token) > 0 && leaves(i, token)) all.add(typeAt(token));
    for (const { entity, whole } of own) {
      if (immovableEntities.has(entity)) continue;
      const known = types.get(entity) ?? new Set<number>();
      for (const token of whole) if (leaves(i, token)) known.add(typeAt(token));
      types.set(entity, known);
    }
  }
  const counts = new Map(
    [...all].map((type): [number, Count] => {
      const own = [...types.keys()].filter((name) => types.get(name)?.has(type));
      const count = { entities: own.length, over: own.filter((name) => over.has(name)).length };
      const isFew = count.entities < FEWEST;
      const isWithheld = limit < 1 && (isFew || count.over * MOST_OVER > count.entities);
      return [type, { ...count, isWithheld }];
    }),
  );
  return { withheld, types, counts };
}
