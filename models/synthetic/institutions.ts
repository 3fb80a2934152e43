import type { Institution } from './institution.js';
import { ABBEY } from './institutions/abbey.js';
import { HARBOUR } from './institutions/harbour.js';
import { MESA } from './institutions/mesa.js';
import { NORTH } from './institutions/north.js';
import { RIDGE } from './institutions/ridge.js';
import { VALLEY } from './institutions/valley.js';

/** In the order in which they take turns. */
export const INSTITUTIONS: readonly Institution[] = [NORTH, HARBOUR, MESA, ABBEY, RIDGE, VALLEY];
