import type { SlotTable } from '../slot.js';
import { FINDINGS } from './findings.js';
import { IDENTIFIERS } from './identifiers.js';
import { PEOPLE } from './people.js';
import { PLACES } from './places.js';
import { TIMES } from './times.js';

/** Every slot that a sentence skeleton can name. */
export const SLOTS: SlotTable = { ...FINDINGS, ...IDENTIFIERS, ...PEOPLE, ...PLACES, ...TIMES };
