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
 * Let (x, x') be two histories of the institution where one entity e is another one: in every note that names it,
 * wherever it or a word of it that entities share is PHI (`appearancesIn`); and each of its shorter forms
 * likewise in every note that names that, or not. So other names *change* too, those that hold such a word, in
 * these notes alone: where Ana García is Ana López, Pedro García of her note is Pedro López, and Pedro García of
 * another note stays. Hence one name may *fall apart* into several, into no more than there are ways in which its
 * words move (`partOf`); and several may become one, which may have stood elsewhere.
 *
 * In the same order of sentences, part 1 withholds the same in x and x' where no name for which it withholds a
 * sentence falls apart, and where no several become one that stands, with all that they have in what it lets
 * through, in more sentences than it allows. For then, sentence by sentence, a name for which it withholds in x has
 * as many before it in x' at least; and any other has fewer than are allowed, since it has no more than before, or
 * than all that became it. A twin of e of which this cannot be said counts as told apart, for good (`toldTwins`):
 * in what is charged for e, and where nothing of e leaves, e does for all twins.
 *
 * Of the other twins: say that e *reaches* the entities that share a sentence with it or with a shorter form of it,
 * in this job or an earlier one, and those that have one of these for a shorter form. Of those of an earlier job
 * the ledger has the number alone: they are taken for those of most longer forms. All that change in this job are
 * among them. Only of what e reaches, and of the *bearers* of a twin (other entities of the job whose name, or
 * shorter form, it or its shorter form becomes), do the charges differ between x and x', and those of a bearer that
 * e does not reach only grow. So of a type there are less by no more entities than change, and more by no more than
 * those fall into beyond one each. Over its limit there are less by no more than e reaches of those over it; and
 * more by no more than it reaches of the others, bear one twin, and come by falling apart (`mayChange`). Where no
 * count of any round is that close to its threshold, all decide alike for x and for every x': what is missing is
 * the same, and all that tells x from x' is the vectors, of which `accuracyBound` speaks. Where one is, each twin
 * of e counts as told apart (`told`), for good. Which tokens leave once sentences are withheld may depend on
 * labels, never on an entity.
 *
 * Not covered:
 * - entities none of whose words can move; a word that becomes one which entities do not share, such as a stop
 *   word; and one that the embeddings have in several spellings, each of which moves by itself
 * - that two sentences which differ in nothing else become equal, or are equal no more: one of them alone is
 *   released
 * - that another portion of a job which is read several times judges other sentences
 * - under part 1, that an entity over the limit may be so for a twin that counts as told apart, which follows from
 *   how many sentences have the name of that twin, and so from e where that is a name that changes
 * - of earlier jobs, what stood beside an entity that this job does not name; and, for part 1, in which of its
 *   sentences a name changed with e
 *
 * Each portion of each job is judged by itself, so that entities over the limit may add up: of all that an
 * institution released of a type, more than one in `MOST_OVER` may be over it. It is judged by what it plans: where
 * a job is interrupted, of what has left more may be.
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
   * Of 19 in 20 of the PHI entities that are to leave under a type with a portion of a job, among those that have a word
   * that can move, no adversary may be right more often by the vectors; what is missing may tell more of those in
   * `told`. Of what has left of a job that was interrupted, it may be fewer. From 0.5 to 1, where nothing is withheld
   * for its sake.
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

/** Of all that a portion of a job plans to release, whatever of it has left when the job is interrupted. */
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
  readonly toldTwins: ReadonlyMap<string, readonly boolean[]>;
}

/** Tells of the tokens of sentences whether they leave. */
export type Leaves = (sentence: number, token: number) => boolean;

/** What is judged: charges by sentence, and the labels of each. */
export type Judged = Pick<Certificate, 'charges' | 'moves' | 'formsOf' | 'immovableEntities'> & {
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
  /** All sentences of the job with its whole name. */
  readonly standsIn: ReadonlyMap<string, readonly number[]>;
  /** By sentence. */
  readonly entitiesIn: readonly ReadonlySet<string>[];
}

/** What changes where an entity is another one. */
interface Change {
  readonly name: string;
  /** It and its shorter forms. */
  readonly moving: readonly string[];
  /** Whole names of the job that change with one of these, and the names that each may fall into, as `partOf` tells them. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>;
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
  const { capped, full } = applyCap(judged.charges, spentOn, policy);
  const accounts = accountsOf(judged, capped, spentOn);
  const changes = accounts.names.map((name) => changeOf(name, judged, accounts));
  const toldTwins = toldTwinsOf(changes, full, judged, accounts, spentOn, policy);
  const revealed = (name: string) => {
    const spent = accounts.spent.get(name) ?? spentOn(name);
    return openTo(plus(spent, accounts.charges.get(name) ?? NO_CHARGE), toldTwins.get(name));
  };
  const over = new Set(
    changes
      .filter(({ moving }) => accuracyBound(sumOf(moving.map(revealed))) > policy.limit)
      .map(({ name }) => name),
  );
  const rounds = roundsOf(judged, capped, over, policy);
  const last = rounds.at(-1) as Round;
  return {
    withheld: last.withheld,
    types: withheldTypesOf(rounds),
    entities: accounts.names.length,
    leaving: new Set([...last.types.keys()].filter((name) => last.types.get(name)?.size)),
    told: new Set([
      ...(policy.limit < 1 ? toldBy(judged, accounts, changes, over, rounds) : []),
      ...uncharged(toldTwins, accounts, last),
    ]),
    toldTwins,
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

/** Part 1, in the order of the sentences, which must not tell of them; and the names for which it withholds any. */
function applyCap(
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

function accountsOf(
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

function changeOf(
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
function partOf(name: string, entity: string, movers: readonly string[]): string {
  return [entity, name].find((each) => movers.includes(each)) ?? movers.join(' ');
}

/** Twins for which part 1 might decide otherwise: a name for which it withholds falls apart, or several become one in too many sentences. */
function toldTwinsOf(
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

/** Entities of which a twin is told apart, and nothing leaves that could be charged for it. */
function uncharged(
  toldTwins: ReadonlyMap<string, readonly boolean[]>,
  { sentences }: Accounts,
  { withheld }: Round,
): string[] {
  const isTold = ([, twins]: readonly [string, readonly boolean[]]) => twins.includes(true);
  const names = [...toldTwins].filter(isTold).map(([name]) => name);
  return names.filter((name) => sentences.get(name)?.every((sentence) => withheld[sentence]));
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
function toldBy(
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
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
