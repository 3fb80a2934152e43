import { LEXICON } from '../lexicon.js';
import { phi, plain } from '../phi.js';
import { employerOf, hospitalOf, regionOf, townOf } from '../scene.js';
import type { SlotTable } from '../slot.js';

/** Addresses, hospitals and workplaces. */
export const PLACES: SlotTable = {
  street: ({ home }) => [phi('STREET', home.street)],
  city: ({ home }) => [phi('CITY', home.city)],
  state: ({ home }) => [phi('STATE', home.state)],
  zip: ({ home }) => [phi('ZIP', home.postcode)],
  country: ({ house }) => [phi('COUNTRY', house.country)],
  origin: ({ origin }) => [phi('COUNTRY', origin)],
  abroad: ({ chance, house }) => [phi('COUNTRY', chance.faker(house.place).location.country())],
  town: ({ chance, house }) => [phi('CITY', townOf(chance, house))],
  region: ({ chance, house }) => [phi('STATE', regionOf(chance, house))],
  hospital: ({ house }) => [phi('HOSPITAL', house.names[0] as string)],
  here: ({ chance, house }) => [phi('HOSPITAL', chance.pick(house.names))],
  'other.hospital': ({ otherHospital }) => [phi('HOSPITAL', otherHospital)],
  clinic: ({ chance, house }) => [phi('HOSPITAL', hospitalOf(chance, house))],
  'house.street': ({ house }) => [phi('STREET', house.street)],
  'house.city': ({ house }) => [phi('CITY', house.city)],
  'house.state': ({ house }) => [phi('STATE', house.state)],
  'house.zip': ({ house }) => [phi('ZIP', house.postcode)],
  profession: ({ profession }) => [phi('PROFESSION', profession)],
  work: ({ chance }) => [phi('PROFESSION', chance.pick(LEXICON.professions))],
  employer: ({ employer }) => [phi('ORGANIZATION', employer)],
  organisation: ({ chance, house }) => [phi('ORGANIZATION', employerOf(chance, house))],
  service: ({ condition }) => [plain(condition.service)],
};
