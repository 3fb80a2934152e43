import { pool } from '../grammar.js';

/** What happened before. */
export const HISTORY = pool(
  '[Past history includes|PMH is significant for|History of] {comorbidities}.',
  '{Comorbidity}, [diagnosed in|since|first noted in] {past}[ at {clinic}| by {colleague}|].',
  '{Procedure} in {past} at {clinic} under {colleague}[, without complications|].',
  'Followed by {consultant} [at {other.hospital}|in {town}|for {comorbidity}].',
  '[Allergies|Known allergies|Allergic to]: {allergen} ([rash|hives|anaphylaxis in {past}|unknown reaction]).',
  'No history of {eponym.disease} or {eponym.disease}.',
  'Previously under {colleague} for {comorbidity}; last [clinic visit|review] {past}.',
  '{Name} had [a pacemaker (serial {device})|a hip prosthesis (ref {device})|an insulin pump, {device},] fitted in {past}[ at {clinic}|].',
  'Spinal surgery at {level} in {past}; uses a(n) {eponym.device} at home.',
  '[Vaccinated|Immunised] against influenza in {month}; {number} pack-years.',
  'Records from {clinic} [have been requested|were reviewed|list {him} under number {idnum}].',
  'Last admission here was in {past} for {symptom}; {he} was discharged by {colleague}.',
  'Apart from {comorbidity}, {he} has been well for {years}.',
  'Background of {comorbidities}, all [stable|well controlled|under review] on {medicines}.',
  '[No known drug allergies|NKDA]; no previous reaction to anesthesia or {allergen}.',
  'No previous surgery apart from {procedure} [many years ago|in childhood|without problems].',
  'Risk factors include {comorbidity}, {number} pack-years and [obesity|family history|inactivity].',
);
