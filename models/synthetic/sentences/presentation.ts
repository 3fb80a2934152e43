import { pool } from '../grammar.js';

/** Who came, when, with what. */
export const PRESENTATION = pool(
  '{Name} is a(n) {aged} {man} [with a history of {comorbidity} |with known {comorbidity} |]who [presented|was brought|came] to [the ED|the emergency department|{here}] on {admission} with {symptoms}.',
  'This {aged} {man} [was admitted|was transferred from {other.hospital}|was referred by {gp}] [on {admission} |]with {symptoms} for {duration}.',
  '{Patient.full}, a(n) {aged} {profession} from {town}, developed {symptom} [{duration} ago|on {recent}|over {duration}] while [visiting {his} {kin} in {town}|at work at {employer}|at home].',
  '{Pt} was [last well|in {his} usual state of health] until {recent} when {he} [noticed|developed|began to have] {symptoms}.',
  '{His} {kin} {kin.name} [found {him} at home|called an ambulance at {time}|drove {him} in] after {he} complained of {symptom}.',
  '[Seen initially|First assessed] at {other.hospital} on {recent}, where {study} [showed|was reported as showing] {finding}.',
  '{Name} [saw|was seen by] {gp} in {town} [last {weekday}|on {recent}] [and was started on {drug}|and was sent here|but did not improve].',
  '{He} denies [fever|chest pain|travel|weight loss|recent antibiotics] but [admits to|reports|describes] {symptom}.',
  'Symptoms began [shortly after|the week before|around] {holiday} [and have slowly progressed|when {he} was staying with {his} {kin} in {region}].',
  '{Pt} returned from {abroad} on {recent} and since then has had {symptom}.',
  'The history was [taken from|corroborated by] {his} {kin}, {kin.full} ({kin.phone}), as the patient was [drowsy|in pain|confused].',
  'Of note, {he} had a similar episode in {past} [treated at {clinic}|that settled with {drug}|while living in {town}].',
  '[Thank you for seeing|I was asked to see] {name}, {age}, [for|regarding] suspected {condition}.',
  '{Name} rates the pain as {pain} and [says that {he} will not|would rather not] take {medicine}.',
  'Presenting complaint: {symptom} for {duration}; no relief from {medicine}.',
  '{Pt} [may have|will have] had up to {number} episodes of {symptom} since {weekday}.',
  'There has been no [vomiting|syncope|rash|headache], but {symptom} [wakes {him} at night|is worse on exertion|comes and goes].',
  'The [pain|discomfort] is [sharp|dull|burning], [radiates to the back|does not radiate], and is [relieved by rest|worse after meals|constant].',
  'Onset was [sudden|gradual] over {duration}, with {symptoms} but no loss of consciousness.',
  '{He} tried {medicine} and rest without [much|any] benefit and [called for advice|came to {here}].',
  'Review of systems is otherwise negative apart from {comorbidity} and [poor sleep|low appetite|chronic cough].',
);
