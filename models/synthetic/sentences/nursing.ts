import { pool } from '../grammar.js';

/** A shift on the ward. */
export const NURSING = pool(
  '{Time} - {patient.last} [settled|awake|sleeping] on {ward}, obs stable, {score}.',
  '{Patient.first} [ate half of lunch|refused breakfast|walked to the bathroom with one assist].',
  '{Eponym.device} [patent, {pulse} mL out|leaking, changed at {time}|removed at {time}].',
  '{Name} c/o {symptom}, pain {pain}, {medicine} given at {time} with effect.',
  '{Kin} {kin.name} [visited|telephoned] at {time}; [number updated to {kin.phone}|will collect {him} on {weekday}].',
  '{Attending} [paged at {pager}|informed] about {lab}; orders received.',
  'Dressing at {level} [dry and intact|changed]; {score}.',
  'Handover [given to|taken from] {nurse} at {time}.',
  'Seen by {resident} on rounds; {drug} [charted|due at {time}].',
  'Pt states "I [will|may] go home [to {city}|on {weekday}]"; call bell in reach.',
  'BP {bp}, HR {pulse}, T {temperature}, BGL {respirations}.{number}.',
  '{Patient.first} speaks [Spanish|Polish|Hindi|Tagalog|English]; interpreter {colleague} [booked for {weekday}|present].',
  'Family asked about parking; {kin.name} [hopes|wishes] to stay overnight.',
  '{He} rose at {time}, skin intact, turned every 2 h.',
  'Consent for {procedure} [signed by {kin.full}|in chart|to be obtained by {resident}].',
  'Slept for long periods, woken for {medicine} and obs; no complaints of {symptom} overnight.',
  'Skin intact apart from a small graze over the {side} heel; pressure mattress in use, {score}.',
  'Tolerating diet and fluids, bowels open, urine clear via {eponym.device}; {pulse} mL in the last 8 hours.',
  'Mobilised to the bathroom with a frame and one assist, steady but tired, SpO2 {percent} on air.',
);
