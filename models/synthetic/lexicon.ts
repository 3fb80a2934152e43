import { readData } from './read-data.js';
import type { Sex } from './sex.js';

type LexiconField =
  | 'comorbidities'
  | 'approaches'
  | 'devices'
  | 'instruments'
  | 'ruledOut'
  | 'signs'
  | 'laboratory'
  | 'levels'
  | 'organisms'
  | 'scores'
  | 'allergens'
  | 'medicines'
  | 'employerKinds'
  | 'hospitalKinds'
  | 'saints'
  | 'professions'
  | 'holidays';

/** Words and patterns that the notes are filled with. */
export const LEXICON = readData<Readonly<Record<LexiconField, readonly string[]>>>('lexicon');

export type Country = 'uk' | 'ireland' | 'australia';

export const NAMES = readData<{
  /** Names that are also words, months or eponyms. */
  readonly commonWords: {
    readonly first: Readonly<Record<Sex, readonly string[]>>;
    readonly surname: readonly string[];
  };
  readonly towns: Readonly<Record<Country, readonly string[]>>;
}>('names');
