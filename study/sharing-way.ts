import type { NamedRepresentation } from './matrix.js';

/** One way in which places share what they know. */
export type SharingWay = PooledWay | { readonly way: Together };

/** A de-identifier learns in one place, from what comes there. */
export type PooledWay =
  | { readonly way: 'alone'; readonly site: string }
  | { readonly way: (typeof TEXT_WAYS)[number] }
  | { readonly way: (typeof RELEASED_WAYS)[number]; readonly through: NamedRepresentation };

/** A de-identifier learns wherever there are notes, and its weights travel. */
export type Together = (typeof TOGETHER)[number];

const TEXT_WAYS = ['text', 'pseudonymised text', 'replaced text'] as const;
const RELEASED_WAYS = ['released', 'replaced and released'] as const;
const TOGETHER = ['round robin', 'selective', 'averaging', 'private averaging'] as const;

/** For people, and as the name of a file. */
export function sharingName(way: SharingWay): string {
  if (way.way === 'alone') return `alone ${way.site}`;
  return 'through' in way ? `${way.way} ${way.through.name}` : way.way;
}

/** All ways: of a representation those that release through it. */
export function sharingWays(
  places: readonly string[],
  representations: readonly NamedRepresentation[],
): SharingWay[] {
  return [
    ...places.map((site) => ({ way: 'alone', site }) as const),
    ...TEXT_WAYS.map((way) => ({ way })),
    ...representations.flatMap((through) => RELEASED_WAYS.map((way) => ({ way, through }))),
    ...TOGETHER.map((way) => ({ way })),
  ];
}

export function isTogether(way: SharingWay): way is { readonly way: Together } {
  return (TOGETHER as readonly string[]).includes(way.way);
}

export function isReplaced({ way }: SharingWay): boolean {
  return way.startsWith('replaced');
}

/** How often the notes of the provider and of the others are shared. */
export interface Copies {
  readonly provider: number;
  readonly sites: number;
}

/** What is public is encoded as often as is asked for; a place's notes leave several times where they are replaced. */
export function copiesOf(way: SharingWay, { provider, sites }: Copies): Copies {
  return { provider: 'through' in way ? provider : 1, sites: isReplaced(way) ? sites : 1 };
}
