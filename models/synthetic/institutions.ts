import { pool } from './grammar.js';
import type { Institution } from './institution.js';
import { type Country, NAMES } from './lexicon.js';
import { readData } from './read-data.js';

/** As its file has it: sources of templates, and the country of its towns. */
interface InstitutionFile extends Omit<Institution, 'headers' | 'footers' | 'towns'> {
  readonly headers: readonly string[];
  readonly footers: readonly string[];
  readonly towns?: Country;
}

function read(name: string): Institution {
  const { headers, footers, towns, ...rest } = readData<InstitutionFile>(`institutions/${name}`);
  return {
    ...rest,
    ...(towns && { towns: NAMES.towns[towns] }),
    headers: pool(...headers),
    footers: pool(...footers),
  };
}

/** In the order in which they take turns. */
export const INSTITUTIONS: readonly Institution[] = [
  'north',
  'harbour',
  'mesa',
  'abbey',
  'ridge',
  'valley',
].map(read);
