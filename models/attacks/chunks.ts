import { BATCH_SENTENCES } from '../training/data/batch.js';

/** Items in their order, a batch at a time. */
export function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / BATCH_SENTENCES);
  return Array.from({ length: count }, (_, i) =>
    items.slice(i * BATCH_SENTENCES, (i + 1) * BATCH_SENTENCES),
  );
}
