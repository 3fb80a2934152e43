/**
 * The twin of a sentence where an entity is another one: each of its tokens becomes what `drawn` gives
 * for its word, the same for a word wherever it stands. Length, labels and casing stay.
 */
export function moveEntity(
  ids: Int32Array,
  tokens: readonly number[],
  drawn: (id: number) => number,
): Int32Array {
  const twin = ids.slice();
  for (const token of tokens) twin[token] = drawn(ids[token] as number);
  return twin;
}
