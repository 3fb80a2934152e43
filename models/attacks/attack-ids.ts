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
