import type { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { splitDocuments } from '../../models/training/data/split.js';
import { requireUnseenSites } from './unseen.js';

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

/** A place's documents to learn from and to measure on. */
interface Parted<S extends Site> {
  readonly site: S;
  readonly train: readonly Document[];
  readonly test: readonly Document[];
}

/**
 * A place's documents to learn from and to measure on, the same for the same randomness. Throws `corpus-invalid` where
 * a share is to be held out of documents of one origin.
 */
export function partSite<S extends Site>(
  site: S,
  { heldOut, heldOutShare }: HeldOut,
  random: Random,
): Parted<S> {
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

/** Places that share their notes, and places that are measured alone. */
export interface SharingSites extends HeldOut {
  /** Shares its notes too; nothing is measured on them, since the representations may have learned from them. */
  readonly provider?: Site | undefined;
  /** Those that share what is not held out of their documents. */
  readonly sites: readonly Site[];
  /** Measured, and never trained on. */
  readonly unseen: readonly Site[];
  /** What becomes of a place's documents before they are shared, in each of its copies; the provider's stay as they are. */
  readonly treated?: (site: Site, copy: number) => readonly Document[];
}

/**
 * Of each place what is learned from, as it stands in one of its copies, and what is measured on. Throws as
 * `requireUnseenParts` and `partSite`.
 */
export function partSites(
  { provider, sites, unseen, treated = ({ documents }) => documents, ...heldOut }: SharingSites,
  random: Random,
  copy = 0,
): { readonly learned: readonly Site[]; readonly measured: readonly Site[] } {
  const parted = sites.map((site) => partSite(site, heldOut, random));
  requireUnseenParts(parted, { ...heldOut, provider: provider?.documents ?? [], unseen });
  const learned = parted
    .map(({ site, train }) => ({ ...site, documents: train }))
    .map((site) => ({ ...site, documents: treated(site, copy) }));
  const measured = parted.map(({ site, test }) => ({ ...site, documents: test }));
  return {
    learned: provider ? [provider, ...learned] : learned,
    measured: [...measured, ...unseen],
  };
}

/**
 * Throws `corpus-invalid` where a document that is measured on is one of those that are learned from. A share that was drawn
 * is held against what others have alone: within a place the split keeps together what is of one origin.
 */
export function requireUnseenParts(
  parted: readonly Parted<Site>[],
  {
    provider,
    heldOut,
    unseen,
  }: Pick<HeldOut, 'heldOut'> & {
    readonly provider: readonly Document[];
    readonly unseen: readonly Site[];
  },
): void {
  const own = parted.flatMap(({ train }) => train);
  requireUnseenSites([...provider, ...own], [...heldOut, ...unseen]);
  for (const { site, test } of parted) {
    const others = parted.flatMap((other) => (other.site === site ? [] : other.train));
    requireUnseenSites([...provider, ...others], [{ name: site.name, documents: test }]);
  }
}
