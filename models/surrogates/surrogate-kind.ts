import { shiftDays } from './day-shift.js';

export type SurrogateKind =
  | 'name'
  | 'place'
  | 'country'
  | 'street'
  | 'organisation'
  | 'profession'
  | 'email'
  | 'url'
  | 'age'
  | 'date'
  | 'phone'
  | 'number'
  | 'kinship'
  | 'unknown';

/** By words in the types of MEDDOCAN, i2b2, HIPAA, Presidio and TAB; the first that fits. */
const KINDS: readonly (readonly [RegExp, SurrogateKind])[] = [
  [/E-?MAIL|CORREO/, 'email'],
  [/URL|WEB|DOMAIN/, 'url'],
  [/TELEFONO|PHONE|FAX|CONTACT/, 'phone'],
  [
    /ID_|_ID|^ID|NUM|CODE|ZIP|SSN|RECORD|ACCOUNT|LICENSE|DEVICE|VEHIC|PLAN|USERNAME|IP_|CARD|IBAN|INTERNET|BIO/,
    'number',
  ],
  [/DATE|FECHA/, 'date'],
  [/AGE$|EDAD/, 'age'],
  [/STREET|CALLE/, 'street'],
  [/HOSPITAL|CENTRO|INSTITUCION|ORGANI[ZS]ATION|^ORG$/, 'organisation'],
  [/COUNTRY|PAIS/, 'country'],
  [/CITY|STATE|TERRITORIO|LOCATION|GPE|^LOC$/, 'place'],
  [/PROFES/, 'profession'],
  [/FAMILIARES/, 'kinship'],
  [/NAME|NOMBRE|PATIENT|DOCTOR|PERSON/, 'name'],
];

/** How a mention is replaced; a scheme with one type leaves it to the mention's own shape. */
export function surrogateKind(type: string, phi: string): SurrogateKind {
  if (type !== 'PHI')
    return KINDS.find(([types]) => types.test(type.toUpperCase()))?.[1] ?? 'unknown';
  if (phi.includes('@')) return 'email';
  if (!/\d/.test(phi)) return /\p{L}/u.test(phi) ? 'name' : 'unknown';
  return shiftDays(phi, 1) === undefined ? 'number' : 'date';
}
