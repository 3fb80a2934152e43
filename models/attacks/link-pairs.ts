import type { Random } from '../tensor/random.js';
import type { TextExample } from '../training/examples.js';
import { isPhi } from '../training/move.js';

/** One PHI token in its sentence. */
export interface Mention {
  readonly example: TextExample;
  readonly position: number;
}

/** Two mentions in different sentences, of one word or of two of the same label. */
export interface LinkPair {
  readonly one: Mention;
  readonly other: Mention;
  readonly same: boolean;
}

/**
 * Draws pairs, half of them of one word. For each of these another is drawn with the same first
 * mention whose second is in the same document where the former's is, and elsewhere where that is:
 * neither label nor document tells them apart.
 */
export function linkPairs(
  examples: readonly TextExample[],
  couples: number,
  random: Random,
): LinkPair[] {
  const byLabel = mentionsByLabel(examples);
  const anchors = [...byLabel.values()].flat();
  const pairs: LinkPair[] = [];
  for (let tries = 0; tries < 8 * couples && pairs.length < 2 * couples; tries++) {
    if (anchors.length === 0) break;
    const one = anchors[random.integer(anchors.length)];
    const alike = byLabel.get(one.example.labels[one.position]) ?? [];
    const partners = alike.filter((other) => other.example !== one.example);
    const same = partners.filter((other) => wordOf(other) === wordOf(one));
    if (same.length === 0) continue;
    const match = same[random.integer(same.length)];
    const near = documentOf(match) === documentOf(one);
    const different = partners.filter(
      (other) => wordOf(other) !== wordOf(one) && (documentOf(other) === documentOf(one)) === near,
    );
    if (different.length === 0) continue;
    const stranger = different[random.integer(different.length)];
    pairs.push({ one, other: match, same: true }, { one, other: stranger, same: false });
  }
  return pairs;
}

function mentionsByLabel(examples: readonly TextExample[]): Map<number, Mention[]> {
  const mentions = new Map<number, Mention[]>();
  for (const example of examples) {
    for (let position = 0; position < example.ids.length; position++) {
      if (!isPhi(example, position)) continue;
      const label = example.labels[position];
      const own = mentions.get(label) ?? [];
      own.push({ example, position });
      mentions.set(label, own);
    }
  }
  return mentions;
}

function wordOf({ example, position }: Mention): number {
  return example.ids[position];
}

function documentOf({ example }: Mention): number {
  return example.documentIndex;
}
