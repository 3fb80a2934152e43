/**
 * What becomes of PHI: `[TYPE]`, as many asterisks, something made up that reads alike, or nothing but
 * a span that says where it is.
 */
export const TREATMENTS = ['tag', 'mask', 'surrogate', 'annotate'] as const;

export type Treatment = (typeof TREATMENTS)[number];
