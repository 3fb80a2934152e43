import { pool } from '../grammar.js';

/** What is to happen next. */
export const PLAN = pool(
  'Follow-up with {consultant} [on {next}|in {interval}|at {clinic} on {next}].',
  '{Name} [to see|will see|should see] {gp} [in {town} |]on {next} for {lab}.',
  '[Repeat|Book] {study} [in {interval}|by {next}|before {next}].',
  'Continue {drug}; [may|will] increase after {duration}.',
  '[Refer|Referred] to {clinic}[ for {procedure}|, attn {colleague}].',
  'If {symptom} recurs, call {clinic.phone} or return to {here}.',
  'Discussed with {kin.full} ({kin}), who [agrees|will bring {him} on {next}].',
  'Plan [reviewed with|agreed with|d/w] {colleague}.',
  'DVT prophylaxis, {eponym.device} out [tomorrow|on {weekday}], physiotherapy.',
  'Await {lab}; rule out {eponym.disease}.',
  '{Pt} will return to work as a(n) {profession} after {next}.',
  'Fax results to {colleague} at {fax}.',
  'Next appointment: {next} at {time}, {clinic}.',
  'Driving: not before {next}; letter sent to {employer}.',
  'Low salt diet, fluids to 1.5 L, daily weights and [early mobilisation|strict intake and output].',
  'Continue {drug} for {duration}, then stop; {medicine} as before.',
  'Return if [fever|bleeding|confusion] or {symptom} develops; written advice given.',
  'Check {lab} and {lab} in {interval}; aim for oral therapy when [afebrile|eating|stable].',
  'Not for {procedure} at present given {comorbidity}; to be reconsidered after {study}.',
);
