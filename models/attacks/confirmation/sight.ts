/** What an attacker looks at. */
export const SIGHTS = ['all', 'vectors', 'labels', 'lengths'] as const;
export type Sight = (typeof SIGHTS)[number];

/** The logarithm of how much likelier what was released is if a held sentence was contributed. */
export type Evidence = Readonly<Record<Sight, number>>;

export function bySight(of: (sight: Sight) => number): Evidence {
  return {
    all: of('all'),
    vectors: of('vectors'),
    labels: of('labels'),
    lengths: of('lengths'),
  };
}
