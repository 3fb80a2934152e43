import { pool } from '../grammar.js';

/** Drugs and doses. */
export const MEDICATION = pool(
  '[Current medications|Home meds|Medications]: {medicines}.',
  '[Continue|Resume|Hold] {medicine}; [start|increase|stop] {drug}.',
  '{Medicine}, {drug}.',
  '{Drug} was [started on|stopped on|changed on] {recent} by {colleague}.',
  'May [take|repeat] {medicine} [if needed|up to 4 times a day|with food].',
  'Prescriptions sent to the pharmacy in {town} ({clinic.phone}).',
  '{He} stopped taking {medicine} in {month} [because of cost|on the advice of {gp}|without telling anyone].',
  'Levels to be checked [weekly|every {interval}]; last {lab}.',
  'Discussed with {colleague}: {drug} will [continue|be weaned] over {duration}.',
);
