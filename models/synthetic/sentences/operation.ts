import { pool } from '../grammar.js';

/** The body of an operation note. */
export const OPERATION = pool(
  'Surgeon: {consultant}. Assistant: {resident}. [Anesthesia|Anaesthetist]: {colleague}.',
  '[Preoperative|Postoperative] diagnosis: {condition}.',
  'Procedure: {procedure}[ on {today}|].',
  '{Name} was [brought to the operating room|taken to theatre] at {time} and placed [supine|in lithotomy|in the {side} lateral position].',
  '[After time-out|After sign-in] confirming {patient.full}, {mrn}, [the skin was prepped|antibiotics were given].',
  'A(n) {eponym.approach} incision was made[ and deepened with a {eponym.instrument}|].',
  '{Findings} [were|was] [seen|confirmed|found].',
  'A(n) {eponym.device} was [left in situ|inserted|secured].',
  'Implant: lot {device}.',
  'Estimated blood loss {pulse} mL; counts correct x2.',
  'Specimen [sent to pathology|labelled {idnum}][ and handed to {nurse}|].',
  'Closure in layers with 2-0 Vicryl and 4/0 Monocryl.',
  '{Consultant} was present [throughout|for the key parts]; {resident} closed.',
  'The patient was [extubated|transferred to recovery] at {time}; {kin.full} was [called at {kin.phone}|informed].',
  'Tourniquet {number} minutes at 250 mmHg; {eponym.instrument} used at {level}.',
  'The field was irrigated with warm saline, hemostasis was secured with diathermy, and the {eponym.instrument} was removed.',
  'Dissection proceeded through the fascia down to the level of {level} without injury to nerve or vessel.',
  'There were no immediate complications, and the count was correct at the end of the case.',
  'Postoperatively: {drug}, sips to light diet, {eponym.device} to free drainage.',
);
