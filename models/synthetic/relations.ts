import { readData } from './read-data.js';
import type { Sex } from './sex.js';

export interface Relation {
  readonly sex: Sex;
  readonly word: string;
  /** Whether the surname is usually the patient's. */
  readonly family: boolean;
  /** The relative's age less the patient's. */
  readonly years: readonly [number, number];
}

export const RELATIONS = readData<{
  readonly adults: readonly Relation[];
  readonly parents: readonly Relation[];
  /** By the sex of the patient. */
  readonly partners: Readonly<Record<Sex, readonly Relation[]>>;
}>('relations');
