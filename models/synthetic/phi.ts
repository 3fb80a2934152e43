import type { Piece } from './note.js';

/** The types of the 2014 i2b2/UTHealth annotation that the notes use (Stubbs and Uzuner 2015). */
export const PHI_TYPES = [
  'PATIENT',
  'DOCTOR',
  'USERNAME',
  'PROFESSION',
  'HOSPITAL',
  'ORGANIZATION',
  'STREET',
  'CITY',
  'STATE',
  'COUNTRY',
  'ZIP',
  'AGE',
  'DATE',
  'PHONE',
  'FAX',
  'EMAIL',
  'MEDICALRECORD',
  'IDNUM',
  'DEVICE',
] as const;

export type PhiType = (typeof PHI_TYPES)[number];

export function phi(type: PhiType, text: string): Piece {
  return { type, text };
}

export function plain(text: string): Piece {
  return { text };
}
