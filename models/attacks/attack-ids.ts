/** What an attacker goes by. */
export const ATTACK_FAMILIES = [
  'likelihood',
  'adversary',
  'inversion',
  'lookup',
  'linkage',
  'attributes',
  'membership',
  'closed-list',
  'confirmation',
  'reading',
] as const;
export type AttackFamily = (typeof ATTACK_FAMILIES)[number];

/**
 * Every attack that gives a report, with its family. Ids and families are for programs and stay as they
 * are; the name of a report is for people, and tells variants of one attack apart.
 */
export const ATTACK_IDS = {
  'known-noise-word': 'likelihood',
  'known-noise-pair': 'likelihood',
  'known-noise-twins': 'likelihood',
  'known-noise-sequence': 'likelihood',
  'known-noise-sequence-without-prior': 'likelihood',
  'known-noise-sequence-prior-alone': 'likelihood',
  'continued-adversary': 'adversary',
  'fresh-adversary': 'adversary',
  'inversion-phi': 'inversion',
  'inversion-other': 'inversion',
  'lookup-table': 'lookup',
  linkage: 'linkage',
  'attribute-sex': 'attributes',
  'attribute-age': 'attributes',
  membership: 'membership',
  'closed-list': 'closed-list',
  'closed-list-with-prior': 'closed-list',
  'replaced-entity': 'closed-list',
  'confirm-sentence': 'confirmation',
  'confirm-sentence-vectors': 'confirmation',
  'confirm-sentence-labels': 'confirmation',
  'confirm-sentence-lengths': 'confirmation',
  'confirm-note': 'confirmation',
  'confirm-note-vectors': 'confirmation',
  'confirm-note-labels': 'confirmation',
  'confirm-note-lengths': 'confirmation',
  'reading-known-sentence': 'reading',
  'reading-known-sentence-prior-alone': 'reading',
} as const satisfies Record<string, AttackFamily>;
export type AttackId = keyof typeof ATTACK_IDS;

const BASELINE = /-(?:noise-off|raw-embeddings|pure-noise)$/;

/**
 * The attack of a report that was written before reports held ids: its name without the baseline, where
 * `continued-adversary-T1` and the like are continued adversaries and `pooled-adversary-128` and the
 * like are fresh ones. Undefined for a name that no attack had.
 */
export function attackOfName(name: string): AttackId | undefined {
  const own = name.replace(BASELINE, '');
  if (Object.hasOwn(ATTACK_IDS, own)) return own as AttackId;
  if (own.startsWith('continued-adversary-')) return 'continued-adversary';
  return own.includes('-adversary-') ? 'fresh-adversary' : undefined;
}

/**
 * Which of the attacks that are tried by these names gives a result of this name: `known-noise` gives
 * `known-noise-pair`, and its baselines give those of theirs. Undefined for what is no name of a result.
 */
export function runOfResult(result: string, runs: readonly string[]): string | undefined {
  const [baseline = ''] = BASELINE.exec(result) ?? [];
  const own = result.slice(0, result.length - baseline.length);
  if (!Object.hasOwn(ATTACK_IDS, own)) return undefined;
  const begun = own.startsWith('confirm-') ? 'confirmation' : own;
  return [...runs]
    .sort((a, b) => b.length - a.length)
    .find((run) => {
      const tried = run.slice(0, run.length - baseline.length);
      return `${tried}${baseline}` === run && `${begun}-`.startsWith(`${tried}-`);
    });
}
