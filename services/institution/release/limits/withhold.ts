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
import { type Accounts, accountsOf } from './accounts.js';
import { changeOf } from './change.js';
import { accuracyBound, NO_CHARGE, openTo, plus, type Spent, sumOf } from './charge.js';
import type { Judged } from './judged.js';
import { toldBy } from './reach.js';
import { applyCap, toldTwinsOf } from './sentence-cap.js';
import { type Round, roundsOf, withheldTypesOf } from './type-rounds.js';
import type { WithholdPolicy } from './withhold-policy.js';

/** Of all that a portion of a job plans to release, whatever of it has left when the job is interrupted. */
export interface Decision {
  /** By sentence. */
  readonly withheld: readonly boolean[];
  /** PHI types that are withheld. */
  readonly types: ReadonlySet<number>;
  /** PHI types of which a token leaves. */
  readonly leavingTypes: ReadonlySet<number>;
  readonly entities: number;
  /** Entities, with a word that can move, of whose whole name a token leaves. */
  readonly leaving: ReadonlySet<string>;
  /** Entities of which what is missing may tell anything. */
  readonly told: ReadonlySet<string>;
  /** By entity, which of its twins what is missing may tell apart in any case: [twins]. */
  readonly toldTwins: ReadonlyMap<string, readonly boolean[]>;
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
    leavingTypes: new Set(last.counts.keys()),
    entities: accounts.names.length,
    leaving: new Set([...last.types.keys()].filter((name) => last.types.get(name)?.size)),
    told: new Set([
      ...(policy.limit < 1 ? toldBy(judged, accounts, changes, over, rounds) : []),
      ...uncharged(toldTwins, accounts, last),
    ]),
    toldTwins,
  };
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
