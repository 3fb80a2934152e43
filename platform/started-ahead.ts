/** What `work` makes of each item, in order; the work on the next one starts meanwhile. */
export async function* startedAhead<I, R>(
  items: Iterable<I>,
  work: (item: I) => Promise<R>,
): AsyncGenerator<R> {
  let before: Promise<R> | undefined;
  for (const item of items) {
    const next = work(item);
    // It is waited for in its turn, or never where an earlier one failed.
    next.catch(() => {});
    if (before) yield await before;
    before = next;
  }
  if (before) yield await before;
}
