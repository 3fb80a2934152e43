/**
 * Of the documents that are measured on, by their index, a number that those share which belong together: of one
 * patient or template, or nearly the same (`keptTogether`).
 */
export type Origins = ReadonlyMap<number, number>;

/**
 * Observations for an interval, which takes documents for independent: those of documents that belong together are as of
 * one document, since what these have in common is seen once.
 */
export function ofOrigins<O extends { readonly documentIndex: number }>(
  observations: readonly O[],
  origins: Origins | undefined,
): readonly O[] {
  if (!origins) return observations;
  return observations.map((each) => ({
    ...each,
    documentIndex: origins.get(each.documentIndex) ?? each.documentIndex,
  }));
}
