import { pool } from '../grammar.js';

/** What was done in hospital. */
export const COURSE = pool(
  '{Name} was [admitted under|seen by|taken over by] {attending} and [started on|treated with] {drug}.',
  'On {during} {he} underwent {procedure} [performed by|under] {consultant}[ without complications|].',
  'The {service} team ({consultant}) [recommended|advised] {drug} and {study}.',
  '{Study} on {during} [showed|confirmed] {finding}.',
  'A(n) {eponym.device} was placed on {during} and [removed {duration} later|left in place].',
  '[Hospital course was|The stay was] complicated by {organism} [bacteremia|urinary infection], treated with {drug}.',
  'A family meeting was held on {during} with {kin.full} ({kin})[ and {resident}| and the social worker|].',
  '{Name} improved, and by {during} {he} was [walking on {ward}|eating normally|off oxygen].',
  'Transferred to {other.hospital} for {procedure} on {during}, accepted by {colleague}.',
  'Temperature rose to {temperature} on {during}; cultures grew {organism}.',
  '{Pt} was [discharged|transferred to {clinic}|sent home] on {today} in [good|stable|fair] condition.',
  '{Lab} at discharge, [improved|worse|unchanged] since {admission}.',
  '{Patient.last} [did well|remained stable] and [may|will] resume {medicine} on {next}.',
  'Physiotherapy saw {him} on {weekday}; a grace period of {duration} before full weight bearing.',
  '{Kin.mr} was [updated by telephone|present] when {resident} explained {condition}.',
  'Symptoms settled within {duration} on {drug}, and {lab} [normalised|fell|was stable] without further intervention.',
  'Diet and activity were advanced slowly; {symptom} did not recur and the {eponym.device} was removed.',
  'Pain was controlled with {medicine} and [later |]{drug}, and bowel function returned after {duration}.',
  '{He} was reviewed by physiotherapy, dietetics and pharmacy; mobility improved with a frame.',
  'Oxygen was weaned to room air, and observations stayed within limits with {score}.',
  'Telemetry showed no arrhythmia; {study} demonstrated {finding}, and no further workup was needed.',
);
