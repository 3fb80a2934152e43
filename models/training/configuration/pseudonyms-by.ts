/** Whether each PHI token is moved on its own, or a word is moved to the same neighbour all over its document. */
export const PSEUDONYMS_BY = ['token', 'document'] as const;
export type PseudonymsBy = (typeof PSEUDONYMS_BY)[number];
