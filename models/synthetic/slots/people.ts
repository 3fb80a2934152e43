import type { DoctorStyle } from '../institution.js';
import type { Piece } from '../note.js';
import { formatName, type Person } from '../person.js';
import { phi, plain } from '../phi.js';
import { drawLocal, type Scene } from '../scene.js';
import type { Sex } from '../sex.js';
import type { SlotTable } from '../slot.js';

const ADULT_AGE = 18;
const FIRST_NAME_SHARE = 0.12;
const CAPITALS_SHARE = 0.04;

const PRONOUNS = {
  female: { he: 'she', him: 'her', his: 'her' },
  male: { he: 'he', him: 'him', his: 'his' },
};

/** The patient, relatives and staff. */
export const PEOPLE: SlotTable = {
  patient: ({ patient, house }) => [phi('PATIENT', formatName(patient, house.headerName))],
  'patient.full': ({ patient, chance }) => [
    phi('PATIENT', formatName(patient, chance.happens(CAPITALS_SHARE * 2) ? 'FULL' : 'full')),
  ],
  'patient.first': ({ patient }) => [phi('PATIENT', patient.first)],
  'patient.last': ({ patient, surnameStyle }) => [
    phi('PATIENT', formatName(patient, surnameStyle)),
  ],
  'patient.initials': ({ patient }) => [phi('PATIENT', formatName(patient, 'initials'))],
  name: mention,
  pt: ({ chance }) => [plain(chance.pick(['the patient', 'the patient', 'patient', 'pt']))],
  he: ({ patient }) => [plain(PRONOUNS[patient.sex].he)],
  him: ({ patient }) => [plain(PRONOUNS[patient.sex].him)],
  his: ({ patient }) => [plain(PRONOUNS[patient.sex].his)],
  man: ({ patient, age, chance }) => [plain(chance.pick(nouns(patient.sex, age)))],
  sex: ({ patient }) => [plain(patient.sex === 'female' ? 'F' : 'M')],
  gender: ({ patient }) => [plain(patient.sex)],
  age: ({ age }) => [phi('AGE', String(age))],
  aged: ({ age, chance }) => [
    phi('AGE', String(age)),
    plain(chance.pick(['-year-old', '-year-old', ' year old', '-yr-old', 'yo', ' y/o', ' yr old'])),
  ],
  decade: ({ age }) => [phi('AGE', `${Math.max(1, Math.floor(age / 10)) * 10}s`)],
  kin: ({ kin }) => [plain(kin.relation.word)],
  'kin.name': ({ kin }) => [phi('PATIENT', kin.person.first)],
  'kin.full': ({ kin }) => [phi('PATIENT', formatName(kin.person, 'full'))],
  'kin.mr': (scene) => nameWithTitle(scene, scene.kin.person),
  'kin.he': ({ kin }) => [plain(PRONOUNS[kin.person.sex].he)],
  'kin.his': ({ kin }) => [plain(PRONOUNS[kin.person.sex].his)],
  'kin.age': ({ kin }) => [phi('AGE', String(kin.age))],
  other: ({ otherKin }) => [plain(otherKin.relation.word)],
  'other.name': ({ otherKin, chance }) => [
    phi('PATIENT', formatName(otherKin.person, chance.pick(['first', 'full']))),
  ],
  'other.age': ({ otherKin }) => [phi('AGE', String(otherKin.age))],
  attending: (scene) => doctor(scene, scene.staff.attending),
  resident: (scene) => doctor(scene, scene.staff.resident),
  gp: (scene) => doctor(scene, scene.staff.gp),
  consultant: (scene) => doctor(scene, scene.staff.consultant),
  colleague: (scene) =>
    doctor(scene, drawLocal(scene.chance, scene.house, scene.chance.pick(['female', 'male']))),
  nurse: ({ staff, chance }) => [
    ...(chance.happens(0.4) ? [plain('RN ')] : []),
    phi('DOCTOR', formatName(staff.nurse, chance.pick(['full', 'F. last', 'first', 'F last']))),
  ],
  'gp.last': ({ staff }) => [phi('DOCTOR', staff.gp.last)],
  'consultant.last': ({ staff }) => [phi('DOCTOR', staff.consultant.last)],
  'attending.signature': (scene) => signature(scene, scene.staff.attending),
  'resident.signature': (scene) => signature(scene, scene.staff.resident),
  'nurse.signature': ({ staff, chance }) => [
    phi('DOCTOR', formatName(staff.nurse, chance.pick(['full', 'F last']))),
    plain(chance.pick([', RN', ' RN', ', BSN'])),
  ],
  'attending.initials': ({ staff }) => [phi('DOCTOR', formatName(staff.attending, 'initials'))],
  'resident.initials': ({ staff }) => [
    phi('DOCTOR', formatName(staff.resident, 'initials').toLowerCase()),
  ],
};

/** The patient as running text has it: mostly by title and surname, children by first name. */
function mention(scene: Scene): Piece[] {
  const { patient, age, chance, house } = scene;
  if (age < ADULT_AGE || chance.happens(FIRST_NAME_SHARE)) return [phi('PATIENT', patient.first)];
  if (chance.happens(CAPITALS_SHARE)) return [phi('PATIENT', formatName(patient, 'FULL'))];
  const style = chance.pick(house.mentions);
  if (style === 'last') return nameWithTitle(scene, patient);
  return [phi('PATIENT', formatName(patient, style))];
}

function nameWithTitle({ house, surnameStyle }: Scene, person: Person): Piece[] {
  return [plain(`${house.titles[person.sex]} `), phi('PATIENT', formatName(person, surnameStyle))];
}

function nouns(sex: Sex, age: number): string[] {
  if (age < ADULT_AGE) return sex === 'female' ? ['girl', 'female'] : ['boy', 'male'];
  return sex === 'female' ? ['woman', 'lady', 'female'] : ['man', 'gentleman', 'male'];
}

function doctor({ chance, house }: Scene, person: Person): Piece[] {
  return nameInStyle(chance.pick(house.doctors), person);
}

function signature({ chance, house }: Scene, person: Person): Piece[] {
  return nameInStyle(chance.pick(house.signature), person);
}

function nameInStyle({ before, name, after }: DoctorStyle, person: Person): Piece[] {
  return [plain(before), phi('DOCTOR', formatName(person, name)), plain(after)];
}
