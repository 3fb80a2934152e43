import type { Sex } from '../person.js';

export interface Relation {
  readonly sex: Sex;
  readonly word: string;
  /** Whether the surname is usually the patient's. */
  readonly family: boolean;
  /** The relative's age less the patient's. */
  readonly years: readonly [number, number];
}

const relation = (
  sex: Sex,
  word: string,
  family: boolean,
  youngest: number,
  oldest: number,
): Relation => ({ sex, word, family, years: [youngest, oldest] });

export const ADULT_RELATIONS = [
  relation('female', 'daughter', true, -38, -20),
  relation('male', 'son', true, -38, -20),
  relation('female', 'sister', true, -9, 9),
  relation('male', 'brother', true, -9, 9),
  relation('female', 'niece', false, -40, -15),
  relation('male', 'nephew', false, -40, -15),
  relation('female', 'neighbor', false, -15, 15),
  relation('male', 'friend', false, -9, 9),
];

export const PARENTS = [
  relation('female', 'mother', true, 20, 40),
  relation('male', 'father', true, 20, 45),
];

export const PARTNERS = {
  female: [relation('male', 'husband', true, -5, 8), relation('male', 'partner', false, -8, 10)],
  male: [relation('female', 'wife', true, -8, 5), relation('female', 'partner', false, -10, 8)],
};
