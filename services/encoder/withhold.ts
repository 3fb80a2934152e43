/**
 * Which sentences may leave, so that no PHI entity is revealed beyond a limit over the institution's
 * whole history.
 *
 * A rule that withholds leaks: that a sentence is absent tells something of its words. So the rule
 * has two parts, and a price.
 *
 * 1. `maxSentencesPerEntity` looks at which sentences share an entity, never at what the entity is.
 *    That pattern is the same on both sides of a pair (x, x'), unless the twin's name is also a name
 *    of this job or of the ledger.
 * 2. Where an entity is still over the limit, its sentences are withheld, largest Δ² first. This
 *    looks at the words.
 *
 * Price: `differing` is the share of pairs, over the entities of the job and sampled twins, on whose
 * two sides either part would decide differently about the entity's own sentences. The twin's side
 * is judged by what the encoder would have measured there. Such a pair counts as one that the
 * adversary always gets right: `accuracy` is the mean over all pairs with those at 1. A job where
 * that mean is over the limit is refused, before a byte of it leaves.
 *
 * Not counted: that moving one entity changes the charges of others in its sentences, and the one
 * bit that a refused job never arrives. Charges of words that cannot move are zero: for them nothing
 * is certified.
 */
import { type Certificate, type EntityCharge, TWINS } from './certify.js';
import { accuracyLimit, type Charge, minus, NO_CHARGE, plus, upperEnd } from './charge.js';

export interface WithholdPolicy {
  /** No adversary may be right more often than this about an entity; from 0.5 to 1. */
  readonly limit: number;
  /** In how many released sentences an entity may be, over all jobs. */
  readonly maxSentencesPerEntity?: number | undefined;
}

/** What the ledger knows of an entity. */
export interface Spent extends Charge {
  readonly sentences: number;
}

export interface Decision {
  /** By sentence. */
  readonly withheld: readonly boolean[];
  readonly entities: number;
  /** Share of pairs that the rule itself might give away. */
  readonly differing: number;
  /** Mean over all pairs of what the best adversary gets right, those of `differing` always. */
  readonly accuracy: number;
}

/** What happens to one entity in a job. */
interface Account {
  readonly spent: Spent;
  /** Its sentences in the job. */
  readonly sentences: number[];
  /** Those withheld for its own sake by the second part. */
  readonly own: Set<number>;
  /** Charges of what is kept. */
  total: Charge;
}

type Judged = Pick<Certificate, 'charges' | 'twinNames'> & Pick<Decision, 'withheld'>;

export function withhold(
  { charges, twinNames }: Pick<Certificate, 'charges' | 'twinNames'>,
  spentOn: (entity: string) => Spent,
  policy: WithholdPolicy,
): Decision {
  const accounts = openAccounts(charges, spentOn);
  const withheld = applyCap(charges, accounts, policy);
  for (const [index, entities] of charges.entries()) {
    if (withheld[index]) continue;
    for (const charge of entities) add(accounts, charge);
  }
  applyLimit(charges, accounts, withheld, policy);

  let differing = 0;
  let accuracy = 0;
  for (const [entity, account] of accounts) {
    const share = differingShare(
      entity,
      accounts,
      { charges, twinNames, withheld },
      spentOn,
      policy,
    );
    differing += share;
    accuracy += share + (1 - share) * accuracyLimit(upperEnd(account.total));
  }
  const entities = accounts.size;
  const count = Math.max(entities, 1);
  return {
    withheld,
    entities,
    differing: differing / count,
    accuracy: entities === 0 ? 0.5 : accuracy / count,
  };
}

function openAccounts(
  charges: Certificate['charges'],
  spentOn: (entity: string) => Spent,
): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const [index, entities] of charges.entries()) {
    for (const { entity } of entities) {
      let account = accounts.get(entity);
      if (!account) {
        const spent = spentOn(entity);
        account = { spent, sentences: [], own: new Set(), total: spent };
        accounts.set(entity, account);
      }
      account.sentences.push(index);
    }
  }
  return accounts;
}

/** Part 1, in the order of the sentences, which must not tell of them. */
function applyCap(
  charges: Certificate['charges'],
  accounts: ReadonlyMap<string, Account>,
  { maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): boolean[] {
  const counts = new Map([...accounts].map(([name, { spent }]) => [name, spent.sentences]));
  return charges.map((entities) => {
    const full = entities.some(({ entity }) => (counts.get(entity) ?? 0) >= maxSentencesPerEntity);
    if (!full) for (const { entity } of entities) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    return full;
  });
}

/** Part 2. Totals only fall, so one pass in falling order of Δ² is enough. */
function applyLimit(
  charges: Certificate['charges'],
  accounts: Map<string, Account>,
  withheld: boolean[],
  { limit }: WithholdPolicy,
): void {
  const all = charges.flatMap((entities, index) => entities.map((charge) => ({ charge, index })));
  all.sort((a, b) => b.charge.mean - a.charge.mean);
  for (const { charge, index } of all) {
    const account = accounts.get(charge.entity);
    if (withheld[index] || !account || !isOver(account.total, limit)) continue;
    withheld[index] = true;
    account.own.add(index);
    for (const each of charges[index] ?? []) {
      const other = accounts.get(each.entity);
      if (other) other.total = minus(other.total, each);
    }
  }
}

/** Over the sampled twins of one entity: how often the rule would decide differently there. */
function differingShare(
  entity: string,
  accounts: ReadonlyMap<string, Account>,
  { charges, twinNames, withheld }: Judged,
  spentOn: (entity: string) => Spent,
  { limit, maxSentencesPerEntity = Number.POSITIVE_INFINITY }: WithholdPolicy,
): number {
  const { sentences, own } = accounts.get(entity) as Account;
  const isTooMuch = (squared: number) => accuracyLimit(squared) > limit;
  // What is withheld for the sake of another entity is withheld on both sides.
  const judged = sentences.filter((index) => !withheld[index] || own.has(index));
  const differs = (name: string, twin: number): boolean => {
    if (name === entity) return false;
    const other = accounts.get(name);
    const spent = other?.spent ?? spentOn(name);
    const others = spent.sentences + (other?.sentences.length ?? 0);
    if (others > 0 && others + sentences.length > maxSentencesPerEntity) return true;
    const before = upperEnd(other?.total ?? spent);
    let kept = before;
    for (const index of judged) {
      const charge = charges[index]?.find((each) => each.entity === entity) as EntityCharge;
      const squared = charge.twins[twin] as number;
      if (!own.has(index)) kept += squared;
      // Alone too much: then it is withheld there too, whatever else there is.
      else if (!isTooMuch(before + squared)) return true;
    }
    return own.size < judged.length && isTooMuch(kept);
  };
  return (twinNames.get(entity) ?? []).filter(differs).length / TWINS;
}

function add(accounts: ReadonlyMap<string, Account>, charge: EntityCharge): void {
  const account = accounts.get(charge.entity);
  if (account) account.total = plus(account.total, charge);
}

function isOver(total: Charge, limit: number): boolean {
  return accuracyLimit(upperEnd(total)) > limit;
}

export const NOTHING_SPENT: Spent = { ...NO_CHARGE, sentences: 0 };
