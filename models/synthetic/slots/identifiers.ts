import { formatName, type Person, withoutAccents } from '../person.js';
import { phi, plain } from '../phi.js';
import type { Scene } from '../scene.js';
import type { SlotTable } from '../slot.js';

/** Numbers and addresses that lead to a person. */
export const IDENTIFIERS: SlotTable = {
  mrn: ({ record }) => [phi('MEDICALRECORD', record)],
  account: ({ account }) => [phi('IDNUM', account)],
  accession: ({ accession }) => [phi('IDNUM', accession)],
  idnum: ({ chance, house }) => [phi('IDNUM', chance.fill(house.identifiers.accession))],
  device: ({ chance }) => [
    phi('DEVICE', chance.fill(chance.pick(['SN-######', '??#####', '###-???-##', 'LOT ?####']))),
  ],
  phone: ({ phone }) => [phi('PHONE', phone)],
  'kin.phone': ({ kin }) => [phi('PHONE', kin.phone)],
  'clinic.phone': (scene) => [phi('PHONE', number(scene))],
  pager: ({ chance, house: { identifiers } }) => [
    plain(identifiers.pagerWord),
    phi('PHONE', chance.fill(identifiers.pager)),
  ],
  fax: (scene) => [phi('FAX', number(scene))],
  email: ({ chance, patient }) => [
    phi(
      'EMAIL',
      `${address(patient)}${chance.pick(['', chance.fill('##')])}@${chance.pick(['example.com', 'mailbox.example', 'post.example'])}`,
    ),
  ],
  'attending.email': ({ staff, house }) => [
    phi('EMAIL', `${address(staff.attending)}@${house.mailDomain}`),
  ],
  username: ({ staff, chance }) => [phi('USERNAME', username(staff.attending, chance.fill('##')))],
  'resident.username': ({ staff, chance }) => [
    phi('USERNAME', username(staff.resident, chance.fill('##'))),
  ],
};

function number({ chance, house }: Scene): string {
  return chance.fill(chance.pick(house.identifiers.phones));
}

function address(person: Person): string {
  return letters(formatName(person, 'full').replace(/\s+/g, '.'));
}

function username(person: Person, digits: string): string {
  return letters(person.first.slice(0, 1) + person.last.slice(0, 5)) + digits;
}

const letters = (name: string) =>
  withoutAccents(name)
    .toLowerCase()
    .replace(/[^a-z.]/g, '');
