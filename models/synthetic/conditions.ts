import { readData } from './read-data.js';
import type { Sex } from './sex.js';

/** What a note is about. Every entry is a noun phrase that fits in the middle of a sentence. */
export interface Condition {
  readonly name: string;
  readonly service: string;
  readonly ages: readonly [number, number];
  readonly sex?: Sex;
  readonly symptoms: readonly string[];
  readonly signs: readonly string[];
  readonly study: string;
  readonly findings: readonly string[];
  readonly drugs: readonly string[];
  readonly procedure: string;
}

export const CONDITIONS = readData<readonly Condition[]>('conditions');
