import { isDate } from './day-shift.js';

export type SurrogateKind =
  | 'name'
  | 'title'
  | 'place'
  | 'country'
  | 'street'
  | 'zip'
  | 'organisation'
  | 'hospital'
  | 'clinic'
  | 'department'
  | 'room'
  | 'profession'
  | 'kinship'
  | 'origin'
  | 'sex'
  | 'email'
  | 'url'
  | 'username'
  | 'ip'
  | 'age'
  | 'date'
  | 'duration'
  | 'quantity'
  | 'phone'
  | 'licence'
  | 'vehicle'
  | 'card'
  | 'number'
  | 'unknown';

/** By words in the types of MEDDOCAN, i2b2, HIPAA, Presidio, TAB and ECHR-ES; the first that fits. */
const KINDS: readonly (readonly [RegExp, SurrogateKind])[] = [
  [/^PER$|LEGAL_PROFESSIONAL/, 'name'],
  [/E-?MAIL|CORREO/, 'email'],
  [/URL|WEB|DOMAIN/, 'url'],
  [/^IP|INTERNET/, 'ip'],
  [/USER_?NAME/, 'username'],
  [/TELEFONO|PHONE|FAX|^CONTACT/, 'phone'],
  [/ZIP|POSTAL/, 'zip'],
  [/VEHIC/, 'vehicle'],
  [/LICEN[CS]E|TITULACION/, 'licence'],
  [/CREDIT|CARD/, 'card'],
  [/ID_|_ID|^ID|NUM|CODE|SSN|RECORD|ACCOUNT|DEVICE|PLAN|IBAN|BIO/, 'number'],
  [/DATE|FECHA/, 'date'],
  [/AGE$|EDAD/, 'age'],
  [/QUANTITY|CURRENCY/, 'quantity'],
  [/STREET|CALLE/, 'street'],
  [/HOSPITAL/, 'hospital'],
  [/CENTRO/, 'clinic'],
  [/INSTITUCION|ORGANI[ZS]ATION|^ORG$/, 'organisation'],
  [/DEPARTMENT/, 'department'],
  [/ROOM/, 'room'],
  [/COUNTRY|PAIS/, 'country'],
  [/CITY|STATE|TERRITORIO|LOCATION|GPE|^LOC$/, 'place'],
  [/^DEM$|^NRP$|NATIONALITY|ETHNIC/, 'origin'],
  [/PROFES/, 'profession'],
  [/FAMILIARES/, 'kinship'],
  [/SEXO|^SEX$/, 'sex'],
  [/^TITLE/, 'title'],
  [/NAME|NOMBRE|PATIENT|DOCTOR|PERSON/, 'name'],
];

/** Types in which a scheme joins what others tell apart. */
const JOINED: readonly (readonly [RegExp, readonly SurrogateKind[]])[] = [
  [/^LOC(ATION)?$/, ['place', 'country', 'street', 'zip', 'hospital']],
  [/TERRITORIO/, ['place', 'zip']],
  [/GPE/, ['place', 'country']],
  [/^DEM$/, ['origin', 'profession', 'kinship']],
  [/DATE_?TIME/, ['date', 'duration']],
];

/** How a mention is replaced; a scheme with one type leaves it to the mention's own shape. */
export function surrogateKind(type: string, phi: string): SurrogateKind {
  if (/^CONTACT/iu.test(type)) return contactKind(phi);
  if (type !== 'PHI') return kindOf(type);
  if (phi.includes('@')) return 'email';
  if (!/\d/.test(phi)) return /\p{L}/u.test(phi) ? 'name' : 'unknown';
  return isDate(phi) ? 'date' : 'number';
}

/** Of a type that joins telephones with addresses on networks. */
function contactKind(phi: string): SurrogateKind {
  if (phi.includes('@')) return 'email';
  return /^(?:https?:|www\d?\.)/iu.test(phi) ? 'url' : 'phone';
}

/** What may stand for entities of a type, whatever they look like. */
export function surrogateKinds(type: string): readonly SurrogateKind[] {
  if (type === 'PHI')
    // Doses and other measures are of no person.
    return [...new Set(KINDS.map(([, kind]) => kind))].filter((kind) => kind !== 'quantity');
  const upper = type.toUpperCase();
  return JOINED.find(([types]) => types.test(upper))?.[1] ?? [kindOf(type)];
}

function kindOf(type: string): SurrogateKind {
  return KINDS.find(([types]) => types.test(type.toUpperCase()))?.[1] ?? 'unknown';
}
