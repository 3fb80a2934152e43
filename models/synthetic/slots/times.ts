import { type DateStyle, formatDay } from '../calendar.js';
import { LEXICON } from '../lexicon.js';
import { phi, plain } from '../phi.js';
import type { Scene } from '../scene.js';
import type { SlotTable } from '../slot.js';

const SHORT_SHARE = 0.35;

/** Dates (PHI) and times of the day, durations and intervals (not PHI). */
export const TIMES: SlotTable = {
  dob: ({ birth, house }) => [phi('DATE', formatDay(birth, house.headerDate))],
  'header.today': ({ today, house }) => [phi('DATE', formatDay(today, house.headerDate))],
  'header.admission': ({ admission, house }) => [
    phi('DATE', formatDay(admission, house.headerDate)),
  ],
  today: (scene) => writeDay(scene, scene.today),
  admission: (scene) => writeDay(scene, scene.admission),
  recent: (scene) => writeDay(scene, scene.admission - scene.chance.integer(1, 50)),
  during: (scene) => writeDay(scene, scene.chance.integer(scene.admission, scene.today)),
  next: (scene) => writeDay(scene, scene.today + scene.chance.integer(2, 80)),
  past: (scene) => {
    const day = scene.admission - scene.chance.integer(60, 2500);
    const style = scene.chance.pick(['month year', 'month slash', 'year', 'year'] as const);
    return [phi('DATE', formatDay(Math.max(day, scene.birth + 30), style))];
  },
  year: (scene) => {
    const day = scene.chance.integer(scene.birth + 30, scene.admission);
    return [phi('DATE', formatDay(day, 'year'))];
  },
  month: ({ admission, chance }) => [
    phi('DATE', formatDay(admission - chance.integer(20, 330), 'month')),
  ],
  weekday: ({ today, chance }) => [phi('DATE', formatDay(today + chance.integer(0, 6), 'weekday'))],
  holiday: ({ chance }) => [phi('DATE', chance.pick(LEXICON.holidays))],
  time: ({ chance }) => [
    plain(
      chance.fill(
        `${two(chance.integer(0, 23))}${chance.pick([':', ':', '', '.'])}${two(chance.integer(0, 59))}`,
      ),
    ),
  ],
  duration: ({ chance }) => [
    plain(
      `${chance.integer(2, 9)} ${chance.pick(['days', 'days', 'weeks', 'weeks', 'months', 'hours'])}`,
    ),
  ],
  interval: ({ chance }) => [plain(`${chance.integer(2, 12)} ${chance.pick(['weeks', 'months'])}`)],
  years: ({ chance }) => [plain(`${chance.integer(2, 30)} years`)],
};

const two = (value: number) => String(value).padStart(2, '0');

function writeDay({ chance, house }: Scene, day: number) {
  const short = chance.happens(SHORT_SHARE);
  const styles: readonly DateStyle[] = short ? house.shortDates : house.dates;
  return [phi('DATE', formatDay(day, chance.pick(styles)))];
}
