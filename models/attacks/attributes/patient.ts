import type { Document } from '../../text/document.js';
import { tokenise } from '../../text/tokeniser.js';

export const SEXES = ['female', 'male'] as const;
export type Sex = (typeof SEXES)[number];

export const AGE_GROUPS = ['0 to 17', '18 to 39', '40 to 64', '65 and over'] as const;
export type AgeGroup = (typeof AGE_GROUPS)[number];

/** What a note says of its patient, as far as it can be read by rule. */
export interface Patient {
  readonly sex?: Sex | undefined;
  readonly ageGroup?: AgeGroup | undefined;
}

/** First year of each age group. */
const GROUP_STARTS = [0, 18, 40, 65];
const OLDEST = 120;

const FEMALE =
  'female woman girl lady mother she her hers herself mrs ms miss mujer femenino femenina hembra niña anciana señora ella';
const MALE =
  'male man boy gentleman father he him his himself mr varón varon hombre masculino niño anciano señor';
const SEX_OF = new Map<string, Sex>([
  ...FEMALE.split(' ').map((word): [string, Sex] => [word, 'female']),
  ...MALE.split(' ').map((word): [string, Sex] => [word, 'male']),
]);

/** Spanish notes write H and M (hombre, mujer), English ones F and M. */
const INITIALS: Readonly<Record<string, Readonly<Record<string, Sex>>>> = {
  SEXO: { h: 'male', v: 'male', m: 'female', f: 'female' },
  SEX: { m: 'male', f: 'female' },
  GENDER: { m: 'male', f: 'female' },
};

/** Where no span states the sex, words of one sex must be so many times as frequent as those of the other. */
const CLEAR = 3;

const AGE_TYPE = /^(AGE|EDAD)/;
const LESS_THAN_YEARS = /month|week|day|mes|seman|día|dia|hora|hour/i;

/** Sex and age group of the patient of a note, from its labelled spans, the sex also from its words. */
export function patientOf({ text, spans }: Document): Patient {
  let sex: Sex | undefined;
  let ageGroup: AgeGroup | undefined;
  for (const { type, start, end } of spans) {
    const stated = text.slice(start, end).toLowerCase();
    sex ??= statedSex(type, stated);
    if (AGE_TYPE.test(type)) ageGroup ??= ageGroupOf(stated);
  }
  return { sex: sex ?? mentionedSex(text), ageGroup };
}

function statedSex(type: string, stated: string): Sex | undefined {
  const field = /^(SEXO|SEX|GENDER)(?![A-Z])/.exec(type)?.[1];
  if (!field) return undefined;
  return INITIALS[field]?.[stated] ?? SEX_OF.get(stated);
}

function mentionedSex(text: string): Sex | undefined {
  const counts = { female: 0, male: 0 };
  for (const token of tokenise(text)) {
    const sex = SEX_OF.get(token.text.toLowerCase());
    if (sex) counts[sex] += 1;
  }
  if (counts.female >= CLEAR * (1 + counts.male)) return 'female';
  return counts.male >= CLEAR * (1 + counts.female) ? 'male' : undefined;
}

/** The group of an age as it is stated, in lower case or not; undefined where no number up to 120 is in it. */
export function ageGroupOf(stated: string): AgeGroup | undefined {
  const number = /\d{1,3}/.exec(stated)?.[0];
  if (number === undefined) return undefined;
  const years = LESS_THAN_YEARS.test(stated) ? 0 : Number(number);
  if (years > OLDEST) return undefined;
  return AGE_GROUPS[GROUP_STARTS.filter((start) => start <= years).length - 1];
}
