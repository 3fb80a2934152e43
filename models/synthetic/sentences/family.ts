import { pool } from '../grammar.js';

/** Illness in the family. */
export const FAMILY = pool(
  '[Mother|Father|Brother|Sister] [died at|was diagnosed at] {kin.age} [of|with] {comorbidity}.',
  '{His} {kin} {kin.name} [has|was treated for] {comorbidity}[ at {clinic}|].',
  'Family history of {eponym.disease} [on the maternal side|in an uncle|in a cousin in {town}].',
  'No family history of {eponym.disease}.',
  'A {other}, {other.name}, had {condition} in {past}.',
  '[Family history|FH]: non-contributory.',
);
