import type { Random } from '../models/tensor/random.js';
import type { Document } from '../models/text/document.js';
import { splitDocuments } from '../models/training/split.js';

/** Notes of one place. */
export interface Site {
  readonly name: string;
  readonly documents: readonly Document[];
}

export interface HeldOut {
  /** By place, documents that are measured on; a share of its own where there are none. */
  readonly heldOut: readonly Site[];
  readonly heldOutShare: number;
}

/**
 * A place's documents to learn from and to measure on, the same for the same randomness. Throws `corpus-invalid` where
 * a share is to be held out of documents of one origin.
 */
export function partSite<S extends Site>(
  site: S,
  { heldOut, heldOutShare }: HeldOut,
  random: Random,
): { readonly site: S; readonly train: readonly Document[]; readonly test: readonly Document[] } {
  const own = heldOut.find(({ name }) => name === site.name);
  if (own) return { site, train: site.documents, test: own.documents };
  const { train, validation } = splitDocuments(
    site.documents,
    heldOutShare,
    random.fork(site.name),
    `notes of ${site.name}`,
  );
  return { site, train, test: validation };
}
