import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../../models/tensor/random.js';
import type { PartlyReadExample } from '../../../../models/training/data/examples.js';
import { joinedBuckets } from '../../../../models/training/data/joined-pieces.js';

const DIMENSION = 2;

/** `count` pieces of so many tokens, whose vectors and labels say which token of which piece each is. */
function pieces(count: number, tokens: number, more = {}): PartlyReadExample[] {
  return Array.from({ length: count }, (_, piece) => ({
    vectors: Float32Array.from({ length: tokens * DIMENSION }, (_v, i) => piece + i / 100),
    labels: Uint8Array.from({ length: tokens }, (_l, t) => (piece + t) % 5),
    ...more,
  }));
}

const joined = (examples: readonly PartlyReadExample[], size = 4, seed = 1) =>
  [...joinedBuckets(examples, size, new Random(seed))].flatMap(
    (batch) => batch.examples as readonly PartlyReadExample[],
  );

/** Of every token, its vector and its label. */
function tokensOf(examples: readonly PartlyReadExample[]): string[] {
  return examples
    .flatMap(({ vectors, labels }) =>
      Array.from(labels, (label, t) => `${vectors[t * DIMENSION]} ${label}`),
    )
    .sort();
}

describe('pieces that are joined', () => {
  test('are all there once, each with its vectors and labels', () => {
    const examples = pieces(100, 7);
    expect(tokensOf(joined(examples))).toEqual(tokensOf(examples));
  });

  test('have thirty tokens and more together, but for the last of them', () => {
    const lengths = joined(pieces(100, 7)).map(({ labels }) => labels.length);
    expect(lengths.filter((length) => length === 35)).toHaveLength(20);
    expect(joined(pieces(3, 40)).map(({ labels }) => labels.length)).toEqual([40, 40, 40]);
  });

  test('are joined to others in each epoch', () => {
    const examples = pieces(100, 7);
    expect(joined(examples, 4, 1)).not.toEqual(joined(examples, 4, 2));
    expect(joined(examples, 4, 1)).toEqual(joined(examples, 4, 1));
    const unshuffled = [...joinedBuckets(examples, 4)].flatMap((batch) => batch.examples);
    expect([...joinedBuckets(examples, 4)].flatMap((batch) => batch.examples)).toEqual(unshuffled);
  });

  test('come in as many batches as they would by themselves', () => {
    const batches = [...joinedBuckets(pieces(100, 7), 10, new Random(1))];
    expect(batches).toHaveLength(10);
  });

  test('are of one weight, and none of them is read as words', () => {
    const ids = new Int32Array(7);
    const examples = [
      ...pieces(40, 7),
      ...pieces(40, 7, { weight: 0.5 }),
      ...pieces(10, 7, { ids }),
    ];
    const found = joined(examples);
    expect(found.filter((each) => each.ids).map(({ labels }) => labels.length)).toEqual(
      Array(10).fill(7),
    );
    const weighing = (weight: number | undefined) =>
      tokensOf(found.filter((each) => each.weight === weight && !each.ids));
    expect(weighing(undefined)).toEqual(tokensOf(pieces(40, 7)));
    expect(weighing(0.5)).toEqual(tokensOf(pieces(40, 7)));
  });

  test('are none where there are none', () => {
    expect([...joinedBuckets([], 4, new Random(1))]).toEqual([]);
  });
});
