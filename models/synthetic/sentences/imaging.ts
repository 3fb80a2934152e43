import { pool } from '../grammar.js';

/** The body of a radiology report. */
export const IMAGING = pool(
  'Comparison: {study} [of|dated|from] {recent}[ performed at {other.hospital}|].',
  'Comparison: none[ available|; outside films from {clinic} requested on {recent}].',
  '[Clinical history|Indication]: {aged} {man} with {symptoms}, [rule out|query|?] {condition}.',
  'There [is|are] {finding}.',
  '{Findings} [are|were] again noted[, unchanged since {past}|].',
  'No evidence of {eponym.disease}.',
  'Degenerative changes at {level} and {level}.',
  '{Eponym.device} [in satisfactory position|tip projects over the {side} hemithorax].',
  'The remaining structures are unremarkable for a patient aged {age}.',
  'Technique: {number} axial slices, 5 mm; contrast {pulse} mL; dose {number} mGy.',
  'Findings discussed with {colleague} by telephone at {time} on {today}.',
  'Critical result called to {colleague} ({clinic.phone}) [by {resident}|at {time}].',
  '{Name} [was unable to lie flat|tolerated the study well|declined contrast].',
  'Requested by {attending}, {other.hospital}.',
  'A 4 mm nodule in segment 6 [may represent|will need follow-up for] granuloma; follow-up in {interval}.',
  'The {side} side shows no focal abnormality; {score}.',
  'The heart size is normal, the mediastinal contours are unremarkable, and no pleural fluid is seen.',
  'Visualised bones show no lytic or sclerotic lesion; degenerative change is most marked at {level}.',
  'The solid organs enhance normally; there is no free gas or fluid.',
);
