import { percent } from '../../../platform/percent-text.js';
import { ENOUGH_DOCUMENTS } from '../../statistics/estimate.js';
import type { AttackContext, AttackReport, AttackTask, Slice } from '../attack.js';
import { capitalise } from '../capitalise.js';
import type { CertifiedBoundReport } from '../certified-bound.js';
import { beatsChance, betterWhere, strongestFirst, surestTries } from './guessing.js';

type Comparisons = Pick<AttackContext, 'comparisons'>;

/** What an attack that succeeds has done, for people. */
export const DID: Readonly<Record<AttackTask, string>> = {
  'tell a pair apart': 'told a sentence from one with a name changed',
  'name the word': 'named a hidden word among its candidates',
  'name several words': 'named the hidden words of a sentence among their candidates',
  'name the entity': 'named an entity of a known note from a list of its type',
  'name the replaced entity': 'named an entity that another one had been encoded for',
  'read the PHI': 'read identifying words out of the vectors',
  'read other words': 'read words that do not identify out of the vectors',
  'read a word of a known sentence':
    'read a word that does not identify in a sentence that was known but for it',
  'find the sentence': 'found the sentence that it already knew among others',
  'confirm a sentence': 'recognised that a sentence that it held was shared, at 1 % false alarms',
  'confirm a note': 'recognised that a note that it held was shared, at 1 % false alarms',
  'link two names': 'saw whether two sentences hold the same name',
  'infer the sex': 'told the sex of a patient by the vectors of the name',
  'infer the age group': 'told the age group of a patient by the vectors of the age',
  'recognise training notes':
    'told whether a sentence was in the notes that the provider trained on',
};

/** These touch what identifies a person. */
const IDENTIFYING: readonly AttackTask[] = [
  'tell a pair apart',
  'name the word',
  'name several words',
  'name the entity',
  'read the PHI',
  'link two names',
  'infer the sex',
  'infer the age group',
];

/** Nobody can do this, if surrogates are drawn independently of what they stand for. */
const REPLACED: AttackTask = 'name the replaced entity';

/** These learn nothing new of a sentence, but where it went. */
const CONFIRMING: Partial<Record<AttackTask, string>> = {
  'find the sentence': 'can confirm that a known sentence was shared',
  'confirm a sentence':
    'can tell of a sentence that it holds whether it was shared, at 1 % false alarms',
  'confirm a note': 'can tell of a note that it holds whether it was shared, at 1 % false alarms',
  'recognise training notes':
    'can confirm that a known sentence was among the notes that the provider trained on',
};

/** An attack that beats a limit on all attacks, beyond both intervals, shows a mistake. */
export function contradictsLimit({ success, limit }: AttackReport): boolean {
  return limit !== null && success.corrected[0] > limit.corrected[1];
}

/**
 * What was found, for a data-protection officer. Attacks are lower limits: what none of them could
 * do, another may. The certified bound is the upper one, for one word among its candidates.
 */
export function verdict(
  attacks: readonly AttackReport[],
  bound: CertifiedBoundReport,
  context: Comparisons,
): string {
  if (attacks.some(contradictsLimit))
    return 'This audit is not valid: an attack did better than any attack can, so one of the two is computed wrongly.';
  const ordered = strongestFirst(attacks, context);
  const identifying = ordered.filter(({ task }) => IDENTIFYING.includes(task));
  const parts = [
    finding(identifying, context),
    ...ofReplaced(ordered, context),
    ...confirmations(ordered, context),
    limitOf(bound, identifying),
  ];
  return `${parts.join('; ')}.`;
}

/** Whether no attack that the verdict speaks of was better than guessing. */
export function isQuiet(attacks: readonly AttackReport[], context: Comparisons): boolean {
  const counts = ({ task }: AttackReport) =>
    IDENTIFYING.includes(task) || task === REPLACED || task in CONFIRMING;
  const tried = attacks.filter(counts);
  return (
    tried.some(({ task }) => IDENTIFYING.includes(task)) &&
    !tried.some((attack) => beatsChance(attack, context) || contradictsLimit(attack))
  );
}

function finding(attacks: readonly AttackReport[], context: Comparisons): string {
  if (attacks.length === 0) return 'No attack on names was run';
  const found = attacks.filter((attack) => beatsChance(attack, context));
  const count = attacks.length;
  const names =
    attacks[0].statement === 'a name that nobody labelled' ? 'names that nobody labelled' : 'names';
  if (found.length === 0) {
    const nearest = attacks.find(({ gain }) => gain.value > 0) ?? attacks[0];
    return (
      `None of the ${count} attacks on ${names} that were tried did measurably better than guessing, which does ` +
      `not show that no other could (nearest: ${achievementOf(nearest, context)})`
    );
  }
  return (
    `${capitalise(names)} can be attacked: ${found.length} of ${count} attacks did better than guessing, and the strongest ` +
    `${achievementOf(found[0], context)}, which others may surpass`
  );
}

/** Of entities that were replaced: a word on what must be chance, whether it was or not. */
function ofReplaced(attacks: readonly AttackReport[], context: Comparisons): string[] {
  return attacks
    .filter(({ task }) => task === REPLACED)
    .map((attack) =>
      beatsChance(attack, context)
        ? `entities that were replaced can be named (${share(attack)}): a surrogate depends on what it stands for, and nothing should leave`
        : `what stood where another entity was encoded was not named more often than by guessing (${share(attack)})`,
    );
}

function confirmations(attacks: readonly AttackReport[], context: Comparisons): string[] {
  const strongest = attacks.filter(
    ({ task }, i) => attacks.findIndex((other) => other.task === task) === i,
  );
  return strongest.flatMap((attack) => {
    const can = CONFIRMING[attack.task];
    if (!can || !beatsChance(attack, context)) return [];
    return `an attacker ${can} (right in ${share(attack)})`;
  });
}

/** The mean, then what it hides: the type that is most open, and how many pairs are. */
function limitOf(
  { bound, documents, shareOver60, slices }: CertifiedBoundReport,
  attacks: readonly AttackReport[],
) {
  const most = bound.corrected[1];
  const worst = mostOpen(slices);
  const luckiest = Math.max(
    ...attacks
      .filter(({ task }) => task === 'tell a pair apart')
      .map(({ success }) => success.value),
  );
  return [
    'on notes like these no attack on a single release, tried or not, tells a sentence from one with a PHI word ' +
      `changed among its candidates in more than ${percent(most)} of the cases on average in the long run ` +
      `(${percent(bound.value)} on this audit’s own pairs, and 50 % is a coin)`,
    ...(documents < ENOUGH_DOCUMENTS ? [`which ${documents} notes are too few to be sure of`] : []),
    ...(luckiest > most
      ? [`which the ${percent(luckiest)} of the tries above are within chance of`]
      : []),
    ...(worst && worst.success.interval[1] > most
      ? [
          `but a mean hides what is open: it is up to ${percent(worst.success.interval[1])} where the word is ${worst.value}`,
        ]
      : []),
    ...(shareOver60 > 0 ? [`and ${percent(shareOver60)} of these pairs are over 60 %`] : []),
  ].join(', ');
}

function mostOpen(slices: readonly Slice[]): Slice | undefined {
  return slices
    .filter(({ by }) => by === 'type')
    .sort((a, b) => b.success.value - a.success.value)[0];
}

/** What the strongest attack on what does not identify a person did; undefined where none did much. */
export function besideNames(
  attacks: readonly AttackReport[],
  context: Comparisons,
): string | undefined {
  const others = attacks.filter(
    ({ task }) => !IDENTIFYING.includes(task) && task !== REPLACED && !(task in CONFIRMING),
  );
  const found = strongestFirst(others, context).find((attack) => beatsChance(attack, context));
  return (
    found && `What does not identify is not hidden: an attack ${achievementOf(found, context)}.`
  );
}

function achievementOf(attack: AttackReport, context: Comparisons): string {
  const sure = whereSure(attack, context);
  return sure ? `${DID[attack.task]}: it ${sure}` : `${DID[attack.task]} in ${share(attack)}`;
}

/** What an attack did that is no better than guessing over all its tries, but where it is surest of itself. */
export function whereSure(attack: AttackReport, context: Comparisons): string | undefined {
  const beyond = betterWhere(attack, context);
  if (beyond === null || beyond === 'all tries') return undefined;
  const { found, rate } = surestTries(attack, beyond);
  return `recognised ${percent(found)} of the sentences while it mistook at most ${percent(rate)} of the changed ones for them, where guessing recognises ${percent(rate)}`;
}

function share({ success, chance }: AttackReport): string {
  return `${percent(success.value)} of the tries, where guessing gives ${percent(chance)}`;
}
