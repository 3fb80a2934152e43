import { dayOf, yearsBetween } from './calendar.js';
import type { Chance } from './chance.js';
import { CONDITIONS, type Condition } from './conditions.js';
import type { Institution } from './institution.js';
import { LEXICON } from './lexicon.js';
import type { NoteKind } from './note.js';
import { drawPerson, type NameStyle, type Person, withoutAccents } from './person.js';
import { RELATIONS, type Relation } from './relations.js';

export interface Kin {
  readonly person: Person;
  readonly relation: Relation;
  readonly age: number;
  readonly phone: string;
}

export interface Home {
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postcode: string;
}

const STAFF_ROLES = ['attending', 'resident', 'gp', 'consultant', 'nurse'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Everything that is true in one note, so that its sentences agree with one another. */
export interface Scene {
  readonly chance: Chance;
  readonly house: Institution;
  readonly kind: NoteKind;
  readonly patient: Person;
  readonly age: number;
  readonly birth: number;
  readonly home: Home;
  readonly origin: string;
  readonly profession: string;
  readonly employer: string;
  readonly record: string;
  readonly account: string;
  readonly accession: string;
  readonly phone: string;
  readonly kin: Kin;
  readonly otherKin: Kin;
  readonly staff: Readonly<Record<StaffRole, Person>>;
  readonly condition: Condition;
  readonly comorbidities: readonly string[];
  readonly otherHospital: string;
  readonly admission: number;
  readonly today: number;
  /** How running text names the patient by surname in this note. */
  readonly surnameStyle: NameStyle;
}

const FIRST_DAY = dayOf(2009, 1, 1);
const LAST_DAY = dayOf(2024, 12, 31);
const ADULT_AGE = 18;
const MIDDLE_AGE = 50;
const REAL_TOWN_SHARE = 0.7;
const FAMILY_NAME_SHARE = 0.75;
const CAPITAL_SURNAME_SHARE = 0.08;

export function drawScene(chance: Chance, house: Institution, kind: NoteKind): Scene {
  const condition = chance.pick(CONDITIONS.filter((each) => fits(each, kind)));
  const sex = condition.sex ?? chance.pick(['female', 'male'] as const);
  const admission = chance.integer(FIRST_DAY, LAST_DAY);
  const today = admission + (kind === 'triage' ? 0 : chance.integer(0, 12));
  const wantedAge = chance.integer(...condition.ages);
  const birth = Math.floor(today - wantedAge * 365.25 - chance.integer(2, 360));
  const age = yearsBetween(birth, today);
  const patient = drawLocal(chance, house, sex);
  const [relation, otherRelation] = chance.sample(relationsOf(sex, age), 2) as [Relation, Relation];
  const phone = () => chance.fill(chance.pick(house.identifiers.phones));
  const kin = (relation: Relation): Kin => {
    const family = relation.family && chance.happens(FAMILY_NAME_SHARE);
    return {
      person: drawLocal(chance, house, relation.sex, family ? patient.last : undefined),
      relation,
      age: Math.max(ADULT_AGE, age + chance.integer(...relation.years)),
      phone: phone(),
    };
  };
  const colleague = () => drawLocal(chance, house, chance.pick(['female', 'male'] as const));
  return {
    chance,
    house,
    kind,
    patient,
    age,
    birth,
    home: {
      street: streetOf(chance, house),
      city: townOf(chance, house),
      state: regionOf(chance, house),
      postcode: chance.fill(house.identifiers.postcode),
    },
    origin: chance.faker(house.place).location.country(),
    profession: chance.pick(LEXICON.professions),
    employer: employerOf(chance, house),
    record: chance.fill(house.identifiers.record),
    account: chance.fill(house.identifiers.account),
    accession: chance.fill(house.identifiers.accession),
    phone: phone(),
    kin: kin(relation),
    otherKin: kin(otherRelation),
    staff: {
      attending: colleague(),
      resident: colleague(),
      gp: colleague(),
      consultant: colleague(),
      nurse: colleague(),
    },
    condition,
    comorbidities: chance.sample(LEXICON.comorbidities, 3),
    otherHospital: hospitalOf(chance, house),
    admission,
    today,
    surnameStyle: chance.happens(CAPITAL_SURNAME_SHARE) ? 'LAST' : 'last',
  };
}

/** Who may be a patient's kin by their ages. */
function relationsOf(sex: Person['sex'], age: number): readonly Relation[] {
  if (age < ADULT_AGE) return RELATIONS.parents;
  const parents = age < MIDDLE_AGE ? RELATIONS.parents : [];
  return [...RELATIONS.adults, ...RELATIONS.partners[sex], ...parents].filter(
    ({ years }) => age + years[1] >= ADULT_AGE,
  );
}

/** Someone of the institution's surroundings. */
export function drawLocal(
  chance: Chance,
  house: Institution,
  sex: Person['sex'],
  last?: string,
): Person {
  const person = drawPerson(chance, house.populations, sex, last);
  if (house.accents) return person;
  return {
    ...person,
    first: withoutAccents(person.first),
    last: withoutAccents(person.last),
  };
}

export function townOf(chance: Chance, house: Institution): string {
  const { location } = chance.faker(house.place);
  if (!chance.happens(REAL_TOWN_SHARE)) return withoutAccents(location.city());
  return withoutAccents(
    chance.pick(house.towns ?? chance.faker(house.place).definitions.location.city_name),
  );
}

export function regionOf(chance: Chance, house: Institution): string {
  const { location } = chance.faker(house.place);
  return house.region === 'state' ? location.state() : location.county();
}

function streetOf(chance: Chance, house: Institution): string {
  return withoutAccents(chance.faker(house.place).location.streetAddress());
}

export function hospitalOf(chance: Chance, house: Institution): string {
  const kind = chance.pick(LEXICON.hospitalKinds);
  if (chance.happens(0.2)) return `St. ${chance.pick(LEXICON.saints)}'s ${kind}`;
  return `${townOf(chance, house)} ${kind}`;
}

export function employerOf(chance: Chance, house: Institution): string {
  if (chance.happens(0.4)) return chance.faker(house.place).company.name();
  return `${townOf(chance, house)} ${chance.pick(LEXICON.employerKinds)}`;
}

function fits({ procedure, ages }: Condition, kind: NoteKind): boolean {
  if (kind === 'social work') return ages[1] > ADULT_AGE * 2;
  return kind !== 'operation' || !/^(a trial|assessment|a course|nasogastric)/.test(procedure);
}
