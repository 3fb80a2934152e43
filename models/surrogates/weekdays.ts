import type { SurrogateLanguage } from './surrogate-language.js';

/** Lists of seven from Monday on, by language and length; of each the first is the one that is written. */
const WAYS: readonly (readonly [SurrogateLanguage, readonly (readonly string[])[]])[] = [
  ['en', [['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']]],
  [
    'en',
    [
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      ['mon', 'tues', 'weds', 'thurs', 'fri', 'sat', 'sun'],
      ['mon', 'tue', 'wed', 'thur', 'fri', 'sat', 'sun'],
    ],
  ],
  [
    'es',
    [
      ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
      ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
    ],
  ],
  [
    'es',
    [
      ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'],
      ['lun', 'mar', 'mie', 'jue', 'vie', 'sab', 'dom'],
    ],
  ],
];

export const WEEKDAYS: readonly (readonly string[])[] = WAYS.flatMap(([, lists]) => lists);

export interface Weekday {
  /** From 0 for Monday. */
  readonly at: number;
  /** How those of its language and length are written, whatever its own spelling. */
  readonly written: readonly string[];
  readonly language: SurrogateLanguage;
}

/** Of a word in any case; undefined where it is none. */
export function weekdayNamed(word: string): Weekday | undefined {
  const lower = word.normalize('NFC').toLowerCase();
  for (const [language, lists] of WAYS)
    for (const list of lists) {
      const at = list.indexOf(lower);
      if (at >= 0) return { at, written: lists[0] as readonly string[], language };
    }
  return undefined;
}
