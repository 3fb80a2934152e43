import { pool } from '../grammar.js';

/** An assessment of an adult's situation. */
export const SOCIAL_WORK = pool(
  'Met with {name} and {his} {kin} {kin.name} on {today} [at the bedside|on {ward}|by video].',
  '{Name}, {age}, [lives alone at|has lived for {years} at] {street} in {city}.',
  '{Kin.full} ({kin}, {kin.age}) [lives in {town}|works for {organisation}|is a(n) {work}] and [provides care|manages the finances].',
  '{He} [lost {his} job|was laid off] as a(n) {profession} at {employer} in {past}.',
  'Referral to {organisation} [sent on {during}|declined|accepted by {colleague}].',
  'A bed is [held|expected] at {clinic} from {next}; contact {clinic.phone}.',
  '{His} {other} {other.name} [flies in from {abroad}|drives from {town}] on {weekday}.',
  'Benefits claim {idnum} [was filed|is pending] since {recent}.',
  '{Name} [hopes|would like] to be home by {holiday}.',
  'Concerns: {symptom}, {comorbidity}, [stairs at home|no heating since {month}|isolation].',
  'Advance directive dated {past} names {kin.full}[ as proxy|].',
  'Divorced in {past}; [estranged from|in touch with] {other.name} in {region}.',
  'Immigrated from {origin} in {year}; [speaks some English|interpreter used].',
  '{Kin} may be reached [evenings |]at {kin.phone} or through {organisation}.',
  'Barthel and {score} [recorded|pending]; {eponym.device} needed at home.',
  '{He} is independent with washing and dressing but needs help with shopping and stairs.',
  'Mood is low, appetite fair, and {symptom} limits [walking|sleep|housework].',
  'Options discussed include home support twice a day, equipment and short respite care.',
);
