import { pool } from '../grammar.js';

/** Laboratory values and studies. */
export const RESULTS = pool(
  '[Labs|Bloods|Laboratory data]: {labs}.',
  '{Lab} on {during}; {lab} [on {recent}|on arrival|after transfusion].',
  '{Study} [on {during} |]showed {findings}.',
  '[Blood|Urine|Sputum] cultures grew {organism}[ sensitive to {drug}| after {duration}|].',
  'Results telephoned to {colleague} at {time}[ on {during}|].',
  '{Score} on {today}; {lab}.',
  'Pathology (accession {idnum}) confirmed {condition}, reported by {colleague}.',
  'MRI of the spine at {clinic} in {month}: degenerative change at {level} and {level}.',
  'Trend: {labs}; repeat on {next}.',
  'Workup for {eponym.disease} was negative.',
);
