/**
 * What became of labelled entities before they were encoded: replaced by public ones of the same type
 * that chance chose, or kept as they were.
 */
export const ENTITY_TREATMENTS = ['replaced', 'kept'] as const;

export type EntityTreatment = (typeof ENTITY_TREATMENTS)[number];

/** How often a note may leave at most, each time with other entities. */
export const MAX_COPIES = 100;

/** In words, with the types that are an exception. */
export function treatmentText(
  entities: EntityTreatment,
  keptTypes: readonly string[] = [],
): string {
  return keptTypes.length === 0 ? entities : `${entities}, ${keptTypes.join(', ')} kept`;
}
