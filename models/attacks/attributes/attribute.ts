import type { AttackTask } from '../attack.js';
import type { AttackId } from '../attack-ids.js';
import { sexOfGivenName } from './given-names.js';
import { AGE_GROUPS, ageGroupOf, type Patient, SEXES } from './patient.js';

/** What of a patient is inferred, and from which PHI. */
export interface Attribute {
  readonly name: AttackId;
  readonly task: AttackTask;
  readonly classes: readonly string[];
  readonly of: (patient: Patient) => string | undefined;
  /** PHI types of the tokens whose vectors it is read from. */
  readonly types: ReadonlySet<string>;
  /** The class that a word tells by itself. Where this is given, other words are not tried. */
  readonly toldBy?: (word: string) => string | undefined;
  /** The class that a surrogate tells by itself, of its words. */
  readonly toldBySurrogate: (words: readonly string[]) => string | undefined;
  readonly what: string;
  /** As `Attack.minutes`. */
  readonly minutes: number;
}

export const ATTRIBUTES = {
  sex: {
    name: 'attribute-sex',
    task: 'infer the sex',
    classes: SEXES,
    of: ({ sex }) => sex,
    types: new Set(['PATIENT', 'NOMBRE_SUJETO_ASISTENCIA', 'PERSON']),
    toldBy: sexOfGivenName,
    toldBySurrogate: (words) => words.map(sexOfGivenName).find((sex) => sex !== undefined),
    what: 'the sex of patients from the vectors of their given names',
    minutes: 0.8,
  },
  age: {
    name: 'attribute-age',
    task: 'infer the age group',
    classes: AGE_GROUPS,
    of: ({ ageGroup }) => ageGroup,
    types: new Set(['AGE', 'EDAD_SUJETO_ASISTENCIA']),
    toldBySurrogate: (words) => ageGroupOf(words.join(' ')),
    what: 'the age group of patients (of four) from the vectors of their ages',
    minutes: 0.4,
  },
} as const satisfies Record<string, Attribute>;

export type AttributeName = keyof typeof ATTRIBUTES;
