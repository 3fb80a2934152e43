import type { AttackReport } from '../attack.js';
import type { AuditReport } from './audit-report.js';

/** One audit among others. */
export interface ComparedAudit {
  readonly label: string;
  readonly report: AuditReport;
  /** F1 of a de-identifier that was trained on it, and its 95 % interval, where it is known. */
  readonly f1?:
    | { readonly value: number; readonly interval: readonly [number, number] }
    | undefined;
}

/** What is compared: the strongest attack of each kind. */
const KINDS: readonly (readonly [what: string, is: (attack: AttackReport) => boolean])[] = [
  ['names a hidden word', hasName('known-noise-word')],
  ['names several hidden words', ({ task }) => task === 'name several words'],
  ['names an entity from a list of its type', hasName('closed-list')],
  ['names it with a prior', hasName('closed-list-with-prior')],
  ['names an entity that was replaced', ({ task }) => task === 'name the replaced entity'],
  ['tells a pair apart, knowing both sentences', hasName('known-noise-twins')],
  ['tells a pair apart, knowing one sentence', hasName('known-noise-pair')],
  ['the paper’s adversary', hasName('continued-adversary-both', 'fresh-adversary-both')],
  ['the best of other learned adversaries', ({ name }) => /^(pooled|attention|bilstm)-/.test(name)],
  ['reads the PHI', ({ task }) => task === 'read the PHI'],
  ['links two names', ({ task }) => task === 'link two names'],
  ['infers the sex', ({ task }) => task === 'infer the sex'],
  ['infers the age group', ({ task }) => task === 'infer the age group'],
  ['finds a known sentence', ({ task }) => task === 'find the sentence'],
  ['confirms a sentence at 1 % false alarms', hasName('confirm-sentence')],
  ['... by the vectors alone', hasName('confirm-sentence-vectors')],
  ['confirms a note at 1 % false alarms', hasName('confirm-note')],
  ['... by the vectors alone', hasName('confirm-note-vectors')],
  ['reads a word of a known sentence', hasName('reading-known-sentence')],
  ['reads other words', ({ task }) => task === 'read other words'],
  ['recognises training notes', ({ task }) => task === 'recognise training notes'],
];

function hasName(...names: readonly string[]) {
  return ({ name }: AttackReport) => names.includes(name);
}

/** The strongest attack of each kind in each audit; null where none was run. */
export function comparedAttacks(audits: readonly ComparedAudit[]) {
  return KINDS.map(([what, is]) => ({
    what,
    attacks: audits.map(({ report }) => report.attacks.find(is) ?? null),
  })).filter(({ attacks }) => attacks.some((attack) => attack !== null));
}
