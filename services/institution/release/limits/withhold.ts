/**
 * Which sentences leave, so that few PHI entities are revealed beyond a limit, and so that what is
 * missing tells nothing of any.
 *
 * A rule that withheld the sentences of the very entities that are over the limit would give them away:
 * who knows all but the name sees that the sentence is missing, and knows that of its candidates only
 * those are left that the rule would withhold. An entity that f treats unlike its neighbours cannot be
 * hidden by withholding it alone. So no decision is about one entity:
 *
 * 1. `maxSentencesPerEntity` looks at which sentences share an entity's whole name, never at what the entity is.
 * 2. Of each PHI type, the entities over the limit are counted, among those of whose whole name a token leaves under
 *    that type, and which have a word that can move. Where only a word of its name is PHI, an entity counts for
 *    nothing: that word is an entity of its own, and which others share it would tell what they are. All sentences
 *    with a type are withheld where more than one in `MOST_OVER` of these are, or where there are fewer than
 *    `FEWEST`. Then less leaves, and what does is counted again, until no more types are withheld. Types are shared
 *    in clear.
 *
 * Let (x, x') be two histories of the institution where one entity e is another one. Say that e
 * *reaches* the entities that share a sentence with it or with a shorter form of it, in this job or an
 * earlier one, and those that have one of these for a shorter form. Of those of an earlier job the ledger has the
 * number alone: they are taken for those of most longer forms. Only of e, of those, and of the
 * *bearers* of a twin (other entities of the job whose name, or shorter form, it or its shorter form becomes) do the charges
 * differ between x and x'. So the counts of a type differ by at most the number of its entities that e
 * reaches or that bear one twin, and a type may have as many entities less as e and its shorter forms are of it: where what
 * they become is another's whole name, or none of its words can move. Where
 * no count of any round is that close to its threshold, all decide alike for x and for every x': what is missing
 * is the same, and all that tells x from x' is the vectors, of which `accuracyBound` speaks. Where one is,
 * each twin of e counts as told apart (`told`), for good. Which tokens leave once sentences are withheld may
 * depend on labels, never on an entity.
 * The same holds for a twin with the name of another entity of the institution, where both together
 * would be more than part 1 allows.
 *
 * Not covered: entities none of whose words can move; that two sentences which differ in nothing else become equal,
 * and one of them is not released; that another portion of a job which is read several times judges
 * other sentences. Each portion of each job is judged by itself, so that entities over the limit may add up: of all that
 * an institution released of a type, more than one in `MOST_OVER` may be over it.
 */
import { typeOfLabel } from '../../../../models/certification/entity.js';
import type { Certificate, EntityCharge } from './certify.js';
import { accuracyBound, type Charge, NO_CHARGE, plus, sumOf } from './charge.js';

/** One in so many entities of a type may be over the limit. */
export const MOST_OVER = 20;
/** A type of fewer entities is withheld: one of them more or less would decide. */
export const FEWEST = 2 * MOST_OVER;

export interface WithholdPolicy {
  /**
   * Of 19 in 20 of the PHI entities that leave under a type with a portion of a job, among those that have a word that
   * can move, no adversary may be right more often by the vectors; what is missing may tell more of those in `told`. From
   * 0.5 to 1, where nothing is withheld for its sake.
   */
  readonly limit: number;
  /** In how many released sentences an entity may be, over all jobs. */
  readonly maxSentencesPerEntity?: number | undefined;
}

/** What the ledger knows of an entity. */
export interface Spent extends Charge {
  /** With its whole name. */
  readonly sentences: number;
  /** How many other entities stood in those sentences, counted in each anew. */
  readonly companions: number;
  /** Whether what was missing from a release may have told anything of it. */
  readonly isTold: boolean;
}

export const NOTHING_SPENT: Spent = { ...NO_CHARGE, sentences: 0, companions: 0, isTold: false };

export interface Decision {
  /** By sentence. */
  readonly withheld: readonly boolean[];
  /** PHI types that are withheld. */
  readonly types: ReadonlySet<number>;
  readonly entities: number;
  /** Entities, with a word that can move, of whose whole name a token leaves. */
  readonly leaving: ReadonlySet<string>;
  /** Entities of which what is missing may tell anything. */
  readonly told: ReadonlySet<string>;
  /** By entity, which of its twins what is missing may tell apart in any case: [twins]. */
  readonly namesakes: ReadonlyMap<string, readonly boolean[]>;
}

/** Tells of the tokens of sentences whether they leave. */
export type Leaves = (sentence: number, token: number) => boolean;

/** What is judged: charges by sentence, and the labels of each. */
type Judged = Pick<Certificate, 'charges' | 'twinNames' | 'formsOf' | 'immovableEntities'> & {
  /** By sentence, [T]. */
  readonly labels: readonly Uint8Array[];
  /** What leaves of the sentences that are not withheld, where that is not all of them. */
  readonly leavesOf?: ((withheld: readonly boolean[]) => Leaves) | undefined;
};

/** What the entities of a job are charged if all is released that the first part lets through. */
interface Accounts {
  readonly names: readonly string[];
  readonly spent: ReadonlyMap<string, Spent>;
  readonly charges: ReadonlyMap<string, Charge>;
  /** Sentences of the job that the first part lets through. */
  readonly sentences: ReadonlyMap<string, readonly number[]>;
  /** How many of those have its whole name. */
  readonly whole: ReadonlyMap<string, number>;
}

/** What would leave if some types were withheld. */
interface Round {
  readonly withheld: readonly boolean[];
  /** Of entities that have a word that can move, the types under which a token of their whole name leaves. */
  readonly types: ReadonlyMap<string, ReadonlySet<number>>;
  readonly counts: ReadonlyMap<number, Count>;
}

interface Count {
  readonly entities: number;
  readonly over: number;
  readonly isWithheld: boolean;
}

export function withhold(
  judged: Judged,
  spentOn: (entity: string) => Spent,
  policy: WithholdPolicy,
): Decision {
  const capped = applyCap(judged.charges, spentOn, policy);
  const accounts = accountsOf(judged, capped, spentOn);
  const namesakes = namesakesOf(judged, accounts, spentOn, policy);
  const over = new Set(
    accounts.names.filter((name) => {
      const forms = (judged.formsOf.get(name) ?? []).filter((form) => form !== name);
      const total = sumOf(
        [name, ...forms].flatMap((each) => [
          accounts.spent.get(each) ?? spentOn(each),
          accounts.charges.get(each) ?? NO_CHARGE,
        ]),
      );
      return accuracyBound(openTo(total, namesakes.get(name))) > policy.limit;
    }),
  );
  const rounds = roundsOf(judged, capped, over, policy);
  const last = rounds.at(-1) as Round;
  return {
    withheld: last.withheld,
    types: withheldTypesOf(rounds),
    entities: accounts.names.length,
    leaving: new Set([...last.types.keys()].filter((name) => last.types.get(name)?.size)),
    told: new Set(policy.limit < 1 ? toldBy(judged, accounts, over, rounds) : []),
    namesakes,
  };
}

/** A charge where some twins are told apart by what is missing. */
export function openTo({ squared }: Charge, isTold: readonly boolean[] | undefined): Charge {
  if (!isTold?.includes(true)) return { squared };
  return { squared: squared.map((value, i) => (isTold[i] ? Number.POSITIVE_INFINITY : value)) };
}

/** Whether all words of the entity stand in the sentence. */
export function isWhole({ whole }: Pick<EntityCharge, 'whole'>): boolean {
  return whole.length > 0;
}

/** Part 1, in the order of the sentences, which must not tell of them. */
function applyCap(
  charges: Certificate['charges'],
  spentOn: (entity: string) => Spent,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): boolean[] {
  const counts = new Map<string, number>();
  const countOf = ({ entity }: EntityCharge) => counts.get(entity) ?? spentOn(entity).sentences;
  return charges.map((entities) => {
    const whole = entities.filter(isWhole);
    const isFull = whole.some((each) => countOf(each) >= maxSentencesPerEntity);
    if (!isFull) for (const each of whole) counts.set(each.entity, countOf(each) + 1);
    return isFull;
  });
}

function accountsOf(
  { charges }: Judged,
  capped: readonly boolean[],
  spentOn: (entity: string) => Spent,
): Accounts {
  const totals = new Map<string, Charge>();
  const sentences = new Map<string, number[]>();
  const whole = new Map<string, number>();
  for (const [index, entities] of charges.entries()) {
    for (const charge of entities) {
      const { entity } = charge;
      if (!sentences.has(entity)) sentences.set(entity, []);
      if (capped[index]) continue;
      sentences.get(entity)?.push(index);
      if (isWhole(charge)) whole.set(entity, (whole.get(entity) ?? 0) + 1);
      totals.set(entity, plus(totals.get(entity) ?? NO_CHARGE, charge));
    }
  }
  const names = [...sentences.keys()];
  const spent = new Map(names.map((name) => [name, spentOn(name)]));
  return { names, spent, charges: totals, sentences, whole };
}

/** Where a twin has the name of another entity, and both together are more than part 1 allows. */
function namesakesOf(
  { twinNames }: Judged,
  { names, whole }: Accounts,
  spentOn: (entity: string) => Spent,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): Map<string, boolean[]> {
  const countOf = (name: string) => spentOn(name).sentences + (whole.get(name) ?? 0);
  if (maxSentencesPerEntity === Number.POSITIVE_INFINITY) return new Map();
  return new Map(
    names.map((name) => {
      const own = countOf(name);
      const isTold = (twin: string) => {
        const others = twin === name ? 0 : countOf(twin);
        return others > 0 && own + others > maxSentencesPerEntity;
      };
      return [name, (twinNames.get(name) ?? []).map(isTold)];
    }),
  );
}

/** Part 2: what is counted once some types are withheld, again and again until no more are. */
function roundsOf(
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

function withheldTypesOf(rounds: readonly Round[]): Set<number> {
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

/** What another one in the place of an entity might bring over the limit, or under it. */
interface Reach {
  readonly name: string;
  /** It and its shorter forms. */
  readonly moving: readonly string[];
  /** Entities of the job. */
  readonly reached: readonly string[];
  /** Of each twin, the other entities that bear the name of it or of its shorter forms, where there are any. */
  readonly bearers: readonly (readonly string[])[];
  /** How many it reached in earlier jobs. */
  readonly companions: number;
}

function reachesOf(
  { charges, formsOf, twinNames }: Judged,
  { names, spent, sentences }: Accounts,
  longerFormsOf: ReadonlyMap<string, readonly string[]>,
): Reach[] {
  const withLongerForms = (name: string) => [name, ...(longerFormsOf.get(name) ?? [])];
  return names.map((name) => {
    const moving = [name, ...(formsOf.get(name) ?? [])];
    const near = moving.flatMap((each) =>
      (sentences.get(each) ?? []).flatMap((index) =>
        (charges[index] ?? []).map(({ entity }) => entity),
      ),
    );
    const bearersOf = (at: number) => {
      const twins = moving.flatMap((each) => twinNames.get(each)?.[at] ?? []);
      const others = new Set(twins.flatMap(withLongerForms).filter((each) => sentences.has(each)));
      for (const each of moving) others.delete(each);
      return [...others];
    };
    const bearers = (twinNames.get(name) ?? []).map((_, at) => bearersOf(at));
    return {
      name,
      moving,
      reached: [...new Set([...moving, ...near].flatMap(withLongerForms))],
      bearers: bearers.filter(({ length }) => length > 0),
      companions: sum(moving.map((each) => spent.get(each)?.companions ?? 0)),
    };
  });
}

/** Entities that reach so many others that a twin of theirs might change what is withheld, in any round. */
function toldBy(
  judged: Judged,
  accounts: Accounts,
  over: ReadonlySet<string>,
  rounds: readonly Round[],
): string[] {
  const longerFormsOf = new Map<string, string[]>();
  for (const name of accounts.names)
    for (const form of judged.formsOf.get(name) ?? [])
      if (form !== name) longerFormsOf.set(form, [...(longerFormsOf.get(form) ?? []), name]);
  const reaches = reachesOf(judged, accounts, longerFormsOf);
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
    const isTold = ({ moving, reached, bearers, companions }: Reach) =>
      [...counts].some(([type, count]) => {
        const own = reached.filter(isOf(type));
        const overs = own.filter((each) => over.has(each)).length;
        const born = Math.max(0, ...bearers.map((each) => each.filter(isOf(type)).length));
        const earlier = reachedByAny(companions, type);
        return mayChange(count, {
          more: own.length - overs + born + earlier,
          fewer: overs + earlier,
          gone: moving.filter(isOf(type)).length,
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/**
 * Whether a type is decided otherwise where up to `more` entities come over the limit, up to `fewer`
 * leave it, and `gone` are no entities of their own any more.
 */
function mayChange(
  { entities, over, isWithheld }: Count,
  { more, fewer, gone }: { readonly more: number; readonly fewer: number; readonly gone: number },
): boolean {
  if (entities < FEWEST) return false;
  if (isWithheld) return (over - fewer) * MOST_OVER <= entities;
  return entities - gone < FEWEST || (over + more) * MOST_OVER > entities - gone;
}
