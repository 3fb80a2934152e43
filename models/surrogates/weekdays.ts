/** Lists of seven from Monday on, as English and Spanish write them. */
export const WEEKDAYS: readonly (readonly string[])[] = [
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ['mon', 'tues', 'weds', 'thurs', 'fri', 'sat', 'sun'],
  ['mon', 'tue', 'wed', 'thur', 'fri', 'sat', 'sun'],
  ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
  ['lunes', 'martes', 'miercoles', 'jueves', 'viernes', 'sabado', 'domingo'],
  ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'],
  ['lun', 'mar', 'mie', 'jue', 'vie', 'sab', 'dom'],
];

/** The first list that a word in small letters is of. */
export function weekdaysWith(word: string): readonly string[] | undefined {
  return WEEKDAYS.find((names) => names.includes(word));
}
