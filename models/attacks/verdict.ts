import type { AttackReport, AttackTask } from './attack.js';
import type { CertifiedBoundReport } from './certified-bound.js';

/** What an attack that succeeds has done, for people. */
export const DID: Readonly<Record<AttackTask, string>> = {
  'tell a pair apart': 'told a sentence from one with a name changed',
  'name the word': 'named a hidden word among its candidates',
  'name several words': 'named the hidden words of a sentence among their candidates',
  'read the PHI': 'read identifying words out of the vectors',
  'read other words': 'read words that do not identify out of the vectors',
  'find the sentence': 'found the sentence that it already knew among others',
  'link two names': 'saw whether two sentences hold the same name',
  'infer the sex': 'told the sex of a patient by the vectors of the name',
  'infer the age group': 'told the age group of a patient by the vectors of the age',
  'recognise training notes':
    'told whether a sentence was in the notes that the provider trained on',
};

/** These touch what identifies a person; the others what else the notes say. */
const IDENTIFYING: readonly AttackTask[] = [
  'tell a pair apart',
  'name the word',
  'name several words',
  'read the PHI',
  'link two names',
  'infer the sex',
  'infer the age group',
];

/** Whether guessing would hardly have done it, all attacks of the audit considered. */
export function beatsChance({ gain }: AttackReport): boolean {
  return gain.corrected[0] > 0;
}

/** An attack that beats a limit on all attacks, beyond both intervals, shows a mistake. */
export function contradictsLimit({ success, limit }: AttackReport): boolean {
  return limit !== null && success.corrected[0] > limit.corrected[1];
}

/**
 * By what each attack surely gains over guessing, as a share of what there is to gain: the lower end
 * of the corrected interval, so that an attack tried a few times with luck does not lead the table.
 */
export function strongestFirst(attacks: readonly AttackReport[]): AttackReport[] {
  return [...attacks].sort((a, b) => sureAdvantage(b) - sureAdvantage(a));
}

function sureAdvantage({ gain, chance }: AttackReport): number {
  return chance < 1 ? gain.corrected[0] / (1 - chance) : 0;
}

/**
 * What was found, for a data-protection officer. Attacks are lower limits: what none of them could
 * do, another may. The certified bound is the upper one, for one word among its candidates.
 */
export function verdict(attacks: readonly AttackReport[], bound: CertifiedBoundReport): string {
  if (attacks.some(contradictsLimit))
    return 'This audit is not valid: an attack did better than any attack can, so one of the two is computed wrongly.';
  const identifying = strongestFirst(attacks).filter(isIdentifying);
  const limit =
    `on notes like these no attack on a single release, tried or not, tells a sentence from one with a word ` +
    `changed among its candidates in more than ${percent(bound.bound.corrected[1])} of the cases on average (50 % is a coin)`;
  return `${finding(identifying)}; ${limit}.`;
}

function isIdentifying({ task }: AttackReport): boolean {
  return IDENTIFYING.includes(task);
}

function finding(attacks: readonly AttackReport[]): string {
  if (attacks.length === 0) return 'No attack on names was run';
  const found = attacks.filter(beatsChance);
  const count = attacks.length;
  if (found.length === 0) {
    const nearest = attacks.find(({ gain }) => gain.value > 0) ?? attacks[0];
    return (
      `None of the ${count} attacks on names that were tried did measurably better than guessing, which does ` +
      `not show that no other could (nearest: ${told(nearest)})`
    );
  }
  return (
    `Names can be attacked: ${found.length} of ${count} attacks did better than guessing, and the strongest ` +
    `${told(found[0])}, which others may surpass`
  );
}

/** What the strongest attack on what does not identify a person did; undefined where none did much. */
export function besideNames(attacks: readonly AttackReport[]): string | undefined {
  const others = strongestFirst(attacks).filter((attack) => !isIdentifying(attack));
  const found = others.find(beatsChance);
  return found && `What does not identify is not hidden: an attack ${told(found)}.`;
}

function told({ task, success, chance }: AttackReport): string {
  return `${DID[task]} in ${percent(success.value)} of the tries, where guessing gives ${percent(chance)}`;
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}
