import { groupedBy } from '../../../platform/grouped-by.js';
import { isPhi } from '../../certification/move.js';
import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import type { Mention } from '../likelihood/mention.js';
import type { AuditTarget } from '../target.js';
import type { Traits } from '../traits.js';

export type Proximity = NonNullable<Traits['place']>;

/** Two mentions in different sentences, of one word or of two of the same label. */
export interface LinkPair {
  readonly one: Mention;
  readonly other: Mention;
  readonly same: boolean;
  /** How far apart they stand. */
  readonly place: Proximity;
}

/**
 * Draws pairs, half of them of one word. For each of these, a pair of two words is drawn that has the same
 * first mention, and a second one with the same label and proximity. So nothing that is shared in
 * clear tells the two kinds apart. Where a word has mentions in several proximities, one of these is drawn
 * first, since most words of a note stand in that note again. Fewer are drawn where `most` tries give no more.
 */
export function linkPairs(
  examples: readonly TextExample[],
  couples: number,
  random: Random,
  { vocabulary, institutions }: Pick<AuditTarget, 'vocabulary' | 'institutions'>,
  most = triesFor(couples),
): LinkPair[] {
  const wordOf = ({ example, position }: Mention) => vocabulary.uncased(example.ids[position]);
  const groups = mentionsInClear(examples);
  const anchors = [...groups.values()].flat();
  const pairs: LinkPair[] = [];
  for (let tries = 0; tries < most && pairs.length < 2 * couples; tries++) {
    if (anchors.length === 0) break;
    const one = anchors[random.integer(anchors.length)];
    const alike = groups.get(inClearOf(one)) ?? [];
    const partners = alike.filter((other) => other.example !== one.example);
    const placed = (other: Mention) => placeOf(one, other, institutions);
    const same = partners.filter((other) => wordOf(other) === wordOf(one));
    const places = [...new Set(same.map(placed))];
    if (places.length === 0) continue;
    const place = places[random.integer(places.length)];
    const near = same.filter((other) => placed(other) === place);
    const different = partners.filter(
      (other) => wordOf(other) !== wordOf(one) && placed(other) === place,
    );
    if (different.length === 0) continue;
    const match = near[random.integer(near.length)];
    const stranger = different[random.integer(different.length)];
    pairs.push({ one, other: match, same: true, place });
    pairs.push({ one, other: stranger, same: false, place });
  }
  return pairs;
}

/** Many mentions have no other of their word, or none of another word as near. */
export function triesFor(couples: number): number {
  return 8 * couples;
}

function placeOf(
  { example: one }: Mention,
  { example: other }: Mention,
  institutions: AuditTarget['institutions'],
): Proximity {
  if (one.documentIndex === other.documentIndex) return 'one document';
  return institutions?.get(one) === institutions?.get(other) ? 'two documents' : 'two institutions';
}

/** PHI tokens by what is shared in clear of them. */
function mentionsInClear(examples: readonly TextExample[]): Map<number, Mention[]> {
  const mentions = examples.flatMap((example) =>
    [...example.ids.keys()]
      .filter((position) => isPhi(example, position))
      .map((position) => ({ example, position })),
  );
  return groupedBy(mentions, inClearOf);
}

function inClearOf({ example, position }: Mention): number {
  return example.labels[position];
}
