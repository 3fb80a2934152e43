/** Each item with what `work` made of it, in order; the work on the next one starts meanwhile. */
export async function* startedAhead<I, R>(
  items: Iterable<I>,
  work: (item: I) => Promise<R>,
): AsyncGenerator<readonly [I, R]> {
  let before: readonly [I, Promise<R>] | undefined;
  for (const item of items) {
    const result = work(item);
    // It is waited for in its turn, or never where an earlier one failed.
    result.catch(() => {});
    if (before) yield [before[0], await before[1]];
    before = [item, result];
  }
  if (before) yield [before[0], await before[1]];
}
