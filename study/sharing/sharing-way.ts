import type { NamedRepresentation } from './matrix.js';

/** One way in which places share what they know. */
export type SharingWay =
  | PooledWay
  | OwnWay
  | OneNetworkWay
  | { readonly way: Together }
  | { readonly way: typeof PUBLIC_NOTES };

/** A de-identifier learns in one place, from what comes there. */
export type PooledWay =
  | { readonly way: 'alone'; readonly site: string }
  | { readonly way: (typeof TEXT_WAYS)[number] }
  | { readonly way: (typeof RELEASED_WAYS)[number]; readonly through: NamedRepresentation };

type ReleasedWay = Extract<PooledWay, { through: unknown }>;

/** Every place has a de-identifier of its own text and the provider's, alone or beside what comes of sharing. */
export type OwnWay =
  | { readonly way: (typeof OWN_WAYS)[number] }
  | { readonly way: (typeof BESIDE_WAYS)[number]; readonly through: NamedRepresentation };

/** Every place has one that learns from what others release, and from text whose words it knows besides. */
export interface OneNetworkWay {
  readonly way: (typeof ONE_NETWORK_WAYS)[number];
  readonly through: NamedRepresentation;
}

/** A de-identifier learns wherever there are notes, and its weights travel. */
export type Together = (typeof TOGETHER)[number];

const TEXT_WAYS = ['text', 'pseudonymised text', 'replaced text'] as const;
const RELEASED_WAYS = ['released', 'replaced and released'] as const;
/** One network, or two that decide together: what two gain over one, without anybody else's notes. */
const OWN_WAYS = ['own text', 'own text twice'] as const;
const BESIDE_WAYS = ['released beside own text', 'replaced and released beside own text'] as const;
const ONE_NETWORK_WAYS = ['released with own text', 'replaced and released with own text'] as const;
/** The provider's notes, learned from as private averaging does before it begins. */
export const PUBLIC_NOTES = 'public notes';
const TOGETHER = ['round robin', 'selective', 'averaging', 'private averaging'] as const;

/** For people, and as the name of a file. */
export function sharingName(way: SharingWay): string {
  if (way.way === 'alone') return `alone ${way.site}`;
  return 'through' in way ? `${way.way} ${way.through.name}` : way.way;
}

/**
 * All ways: of a representation those that release through it; with text of one's own and the provider's where there is
 * a provider, whose network unseen places have.
 */
export function sharingWays(
  provider: string | undefined,
  places: readonly string[],
  representations: readonly NamedRepresentation[],
): SharingWay[] {
  const known = provider === undefined ? [] : [provider];
  const own = known.length === 0 ? [] : OWN_WAYS.map((way) => ({ way }));
  const besides = known.length === 0 ? [] : [...BESIDE_WAYS, ...ONE_NETWORK_WAYS];
  return [
    ...[...known, ...places].map((site) => ({ way: 'alone', site }) as const),
    ...own,
    ...TEXT_WAYS.map((way) => ({ way })),
    ...representations.flatMap((through) =>
      [...RELEASED_WAYS, ...besides].map((way) => ({ way, through })),
    ),
    ...TOGETHER.map((way) => ({ way })),
    ...(known.length === 0 ? [] : [{ way: PUBLIC_NOTES } as const]),
  ];
}

export function isOwn(way: SharingWay): way is OwnWay {
  return [...OWN_WAYS, ...BESIDE_WAYS].some((name) => name === way.way);
}

export function isOneNetwork(way: SharingWay): way is OneNetworkWay {
  return (ONE_NETWORK_WAYS as readonly string[]).includes(way.way);
}

export function isTogether(way: SharingWay): way is { readonly way: Together } {
  return (TOGETHER as readonly string[]).includes(way.way);
}

/** What is shared in a way in which every place learns from its own text as well; none where nothing is. */
export function sharedIn(way: OneNetworkWay): ReleasedWay;
export function sharedIn(way: OwnWay): ReleasedWay | undefined;
export function sharedIn(way: OwnWay | OneNetworkWay): ReleasedWay | undefined {
  if (!('through' in way)) return undefined;
  const { through } = way;
  return { way: isReplaced(way) ? 'replaced and released' : 'released', through };
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
