/**
 * What automatic pseudonymisation gives away (Friedrich et al. 2019, section 4). A word w is shared
 * as one of its candidates N(w), drawn uniformly, and everybody who has the word vectors knows all
 * lists. So the best attack is known exactly, and nothing has to be trained or sampled.
 */

/** The words that a word may be shared as; a word that never moves has itself alone. */
export type Pseudonyms = Int32Array;

/**
 * How often the best attack tells which of two equally likely words a pseudonym stands for:
 * (1 + total variation of their pseudonyms) / 2.
 */
export function tellingApart(one: Pseudonyms, other: Pseudonyms): number {
  const known = new Set(one);
  const shared = other.filter((id) => known.has(id)).length;
  const variation = 1 - shared * Math.min(1 / one.length, 1 / other.length);
  return (1 + variation) / 2;
}

/** How often the best attack names the word behind a pseudonym, each of `lists` equally likely. */
export function naming(lists: readonly Pseudonyms[]): number {
  const likeliest = new Map<number, number>();
  for (const list of lists)
    for (const id of list) likeliest.set(id, Math.max(likeliest.get(id) ?? 0, 1 / list.length));
  let sum = 0;
  for (const likelihood of likeliest.values()) sum += likelihood;
  return sum / lists.length;
}
