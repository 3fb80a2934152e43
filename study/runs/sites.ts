import type { Random } from '../../models/tensor/random.js';
import type { Document } from '../../models/text/document.js';
import { splitSources } from '../../models/training/data/split.js';
import { TacetError } from '../../proto/errors.js';
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
 * Of each place the documents to learn from and to measure on, the same for the same randomness. Where shares are drawn,
 * those of several places that are nearly the same are learned from, or measured on, in all of these. Throws
 * `corpus-invalid` where a share is to be held out of documents of one origin, or nothing of a place is left for either.
 */
export function partEach<S extends Site>(
  sites: readonly S[],
  { heldOut, heldOutShare }: HeldOut,
  random: Random,
): Parted<S>[] {
  const given = new Map(heldOut.map(({ name, documents }) => [name, documents]));
  const sources = sites
    .filter(({ name }) => !given.has(name))
    .map(({ name, documents }) => {
      const what = `notes of ${name}`;
      return { documents, random: random.fork(name), what, idsBy: name };
    });
  const shares = splitSources(sources, heldOutShare);
  const drawn = new Map(sources.map(({ idsBy }, i) => [idsBy, shares[i]]));
  return sites.map((site) => {
    const { name, documents } = site;
    const { train, validation: test } = drawn.get(name) ?? {
      train: documents,
      validation: given.get(name) ?? [],
    };
    if (drawn.has(name) && (train.length === 0 || test.length === 0))
      throw new TacetError(
        'corpus-invalid',
        `notes of ${name}: none is left to ${test.length === 0 ? 'measure on' : 'learn from'}, since those that are nearly ` +
          'the same as notes of other places stay with these; expected some of its own; hold documents out yourself',
      );
    return { site, train, test };
  });
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
 * `requireUnseenParts` and `partEach`.
 */
export function partSites(
  { provider, sites, unseen, treated = ({ documents }) => documents, ...heldOut }: SharingSites,
  random: Random,
  copy = 0,
): { readonly learned: readonly Site[]; readonly measured: readonly Site[] } {
  const parted = partEach(sites, heldOut, random);
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
 * Throws `corpus-invalid` where a document that is measured on is one of those that are learned from, or nearly. A share
 * that was drawn is held against what others have alone: within a place the split keeps together what is of one origin.
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
  const given = new Set(heldOut.map(({ name }) => name));
  for (const { site, test } of parted.filter(({ site: { name } }) => !given.has(name))) {
    const others = parted.flatMap((other) => (other.site === site ? [] : other.train));
    const measured = { name: site.name, documents: test, drawnFrom: site.documents };
    requireUnseenSites([...provider, ...others], [measured]);
  }
}
