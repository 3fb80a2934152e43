import { TacetError } from '../../proto/errors.js';
import { Chance } from './chance.js';
import type { Institution } from './institution.js';
import { INSTITUTIONS } from './institutions.js';
import type { SyntheticNote, SyntheticOptions } from './note.js';
import { writeNote } from './write-note.js';

/**
 * Made-up English clinical notes with the exact spans of their PHI; institutions take turns. A note
 * depends on the seed and its id alone, so more documents or institutions leave it as it was.
 *
 * @throws TacetError `config-invalid` for a seed or a count outside its range.
 */
export function* generateNotes(options: SyntheticOptions): Generator<SyntheticNote> {
  const { seed, documents, institutions = INSTITUTIONS.length } = options;
  check('seed', seed, 0, Number.MAX_SAFE_INTEGER);
  check('documents', documents, 0, Number.MAX_SAFE_INTEGER);
  check('institutions', institutions, 1, INSTITUTIONS.length);
  const chance = new Chance([0]);
  for (let index = 0; index < documents; index++) {
    const turn = index % institutions;
    const number = Math.floor(index / institutions) + 1;
    chance.reseed([seed >>> 0, Math.floor(seed / 2 ** 32), turn, number]);
    const house = INSTITUTIONS[turn] as Institution;
    yield writeNote(chance, house, `${house.id}-${String(number).padStart(4, '0')}`);
  }
}

function check(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new TacetError(
    'config-invalid',
    `${name} is ${value}; expected a whole number from ${least} to ${most}`,
  );
}
