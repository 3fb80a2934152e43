import { en, es, es_MX } from '@faker-js/faker';
import type { Sex } from './patient.js';

const LISTS = [es, es_MX, en].map(({ person }) => person);

/** "josé" of "José Luis". */
const words = (lists: readonly (readonly string[] | undefined)[]) =>
  new Set(lists.flatMap((list) => list ?? []).map((name) => name.split(' ')[0].toLowerCase()));

const FEMALE = words(LISTS.map((person) => person?.first_name?.female));
const MALE = words(LISTS.map((person) => person?.first_name?.male));
const SURNAMES = words(LISTS.map((person) => person?.last_name?.generic));

/**
 * The sex that a given name tells, by public lists of Spanish and English names; undefined for names
 * of both sexes, for those that are surnames too, and for other words.
 */
export function sexOfGivenName(word: string): Sex | undefined {
  const name = word.toLowerCase();
  if (SURNAMES.has(name) || FEMALE.has(name) === MALE.has(name)) return undefined;
  return FEMALE.has(name) ? 'female' : 'male';
}
