import { pool } from '../grammar.js';

/** The conclusion. */
export const IMPRESSION = pool(
  '{Condition}, [improving|stable|with complications|day {number}].',
  '{Findings}, [consistent with|suggestive of|in keeping with] {condition}.',
  '[Impression|In summary]: {aged} {man} with {condition} [and {comorbidity}|on a background of {comorbidity}].',
  '{Condition} rather than {eponym.disease}.',
  'No interval change since {recent}.',
  '{Score}; [low|high] risk of deterioration.',
  'Recommend [repeat {study} in {interval}|correlation with {lab}|referral to {consultant}].',
);
