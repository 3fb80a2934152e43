import { describe, expect, test } from '@jest/globals';
import { Random } from '../../../models/tensor/random.js';
import type { PartlyReadExample } from '../../../models/training/examples.js';
import { withHiddenWords } from '../../../models/training/hidden-words.js';
import { inMemory } from '../../../models/training/supervised.js';

const example = (at: number, isOwn: boolean): PartlyReadExample => ({
  vectors: Float32Array.of(at),
  labels: Uint8Array.of(at % 2),
  ...(isOwn && { ids: Int32Array.of(at) }),
});
const OWN = 400;
const train = Array.from({ length: 2 * OWN }, (_, at) => example(at, at < OWN));
const whole = inMemory<PartlyReadExample>({ train, validation: train }, 32);

/** Which sentences a step sees the words of. */
async function shownIn(share: number, epoch: number): Promise<Set<number>> {
  const shown = new Set<number>();
  let sentences = 0;
  const supply = withHiddenWords(whole, share);
  for await (const { examples } of supply.batches(new Random(epoch), epoch)) {
    for (const { vectors, labels, ids } of examples) {
      sentences += 1;
      const at = vectors[0] as number;
      expect(labels).toEqual(Uint8Array.of(at % 2));
      if (!ids) continue;
      expect(ids).toEqual(Int32Array.of(at));
      shown.add(at);
    }
  }
  expect(sentences).toBe(train.length);
  return shown;
}

describe('words that a step of training does not see', () => {
  test('are of a share of one’s own sentences, of others each epoch', async () => {
    const [first, second] = [await shownIn(0.5, 1), await shownIn(0.5, 2)];
    for (const shown of [first, second]) {
      expect(shown.size).toBeGreaterThan(0.4 * OWN);
      expect(shown.size).toBeLessThan(0.6 * OWN);
      expect([...shown].every((at) => at < OWN)).toBe(true);
    }
    expect([...first].some((at) => !second.has(at))).toBe(true);
    expect(await shownIn(0.5, 1)).toEqual(first);
    expect((await shownIn(0, 1)).size).toBe(OWN);
  });

  test('are seen by what validates', () => {
    const held = [...withHiddenWords(whole, 0.5).validation()].flatMap(({ examples }) => examples);
    expect(held.filter(({ ids }) => ids)).toHaveLength(OWN);
  });
});
