import { pool } from '../grammar.js';

/** Openings of a letter. */
export const SALUTATION = pool(
  'Dear Dr {gp.last},\n\nRe: {patient.full}, DOB {dob}, {street}, {city} {zip}',
  'Dear {gp},\nRE: {patient} ([DOB|born] {dob}; {mrn})',
  'Dear Colleague,\n\nRe {patient.full} - {dob} - {mrn}',
  'To: {gp}, {clinic}\nRegarding: {patient.full}, {age}, of {street}, {city}',
);

/** Closings of a letter. */
export const CLOSING = pool(
  'Thank you for [referring|sending|involving us in the care of] [this pleasant {man}|{name}].',
  'I [will see|shall review] {name} again [on {next}|in {interval}] and [hope|trust] that {he} will be well by then.',
  'I have [not arranged further follow-up|asked {colleague} to review {him} on {next}].',
  'Please contact my secretary on {clinic.phone} [if {symptom} returns|with any questions].',
);
