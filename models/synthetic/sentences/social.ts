import { pool } from '../grammar.js';

/** Work, home and family of an adult. */
export const SOCIAL = pool(
  '{Name} [works as|is employed as|has worked for {years} as] a(n) {profession} [at|for] {employer}.',
  '[Retired|Former] {profession}, [previously with {employer}|lives in {city}|widowed in {past}].',
  '[Lives|{He} lives] [alone|with {his} {kin} {kin.name}|with {his} {kin}] in {city}[, {state}|].',
  'Originally from {origin}, moved to {city} in {year}.',
  '{His} {kin}, {kin.full}, [is the next of kin|holds power of attorney|is the main carer] and can be reached at {kin.phone}.',
  'Smokes {number} cigarettes a day[, stopped in {past}|]; drinks [rarely|{number} units a week].',
  '{His} {other} {other.name}, [a(n) {work} in {town}|aged {other.age}|who lives in {region}], visits [every {weekday}|at {holiday}].',
  'Hobbies include [gardening|fishing|chess]; {he} volunteers at {organisation}.',
  'Married to {kin.name} for {years}; [no children|{number} grandchildren|one {other}, {other.name}].',
  '{Name} has been off work at {employer} since {recent}[ and hopes to return in {month}|].',
  'Home address confirmed as {street}, {city} {zip}.',
  'Served in {abroad} in {year}[; exposure to asbestos|].',
  'Travelled to {abroad} [in {month}|last {month}|in {past}]; no pets.',
);

/** Home and family of a child. */
export const CHILD_SOCIAL = pool(
  '{Patient.first} lives with {his} {kin} {kin.name}[ and {other} {other.name}|] in {city}.',
  'Attends [nursery|daycare|school] at {organisation}[; missed {number} days since {month}|].',
  '{His} {kin}, {kin.full}, [works at {employer}|can be reached at {kin.phone}|is {kin.age} and well].',
  'The family moved from {origin} in {year} and [lives at {street}|has settled in {city}].',
  'Parents are {kin.full} and {other.name}; [no smokers at home|one older sibling].',
  'Immunisations up to date [at {clinic}|per {gp}|as of {month}].',
);
