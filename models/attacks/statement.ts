/** What a finding speaks of. The three are promised differently, and never mixed. */
export const STATEMENTS = [
  'labelled PHI',
  'a name that nobody labelled',
  'the rest of the text',
] as const;
export type Statement = (typeof STATEMENTS)[number];
