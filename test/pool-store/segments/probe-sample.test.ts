import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { PROBES, ProbeSample } from '../../../pool-store/segments/probe-sample.js';
import { encodeSentence } from '../../../proto/encoded-sentence.js';
import { messagesOf } from '../../../proto/sentence-message.js';
import { sentenceOf, shape } from '../../proto/encoded-sentences.js';

/** Which of the sentences are sampled, by number, when they come in this order. */
function sampled(labels: readonly string[], order = labels.map((_, i) => i)): number[] {
  const messages = order.map((i) => {
    const text = labels[i] as string;
    return encodeSentence({
      ...sentenceOf(text.length, i),
      labels: Uint8Array.from(text, Number),
    });
  });
  const block = Buffer.concat(messages);
  const layouts = [...messagesOf(block, shape)];
  const sample = new ProbeSample();
  for (const layout of layouts) sample.add(block, layout, 0);
  return sample.places.map((place) => {
    return order[layouts.findIndex(({ vectorsStart }) => vectorsStart === place)] as number;
  });
}

describe('the sample of a segment', () => {
  const plain = Array.from({ length: PROBES + 1 }, () => '000000000');
  const rare = ['000000001', '000000010', '000000100', '000000100', '0001'];

  test('is of long sentences whose labels few others have, with all that have the same', () => {
    const found = sampled([...plain, ...rare]).map((i) => i - plain.length);
    expect(found.slice(0, 2).sort()).toEqual([0, 1]);
    expect(found.slice(2).sort()).toEqual([2, 3]);
  });

  test('is the same in any order', () => {
    const labels = Array.from({ length: 60 }, (_, i) => `0000000${i % 5}${(i >> 3) % 5}`);
    const forwards = sampled(labels);
    const backwards = sampled(labels, labels.map((_, i) => i).reverse());
    expect(forwards.length).toBeGreaterThan(PROBES / 2);
    expect([...backwards].sort()).toEqual([...forwards].sort());
  });

  test('has a sentence for each label where all are alike and few', () => {
    expect(sampled(plain.slice(0, 5)).sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test('is the same in any order also of more sentences than it first has room for', () => {
    const labels = Array.from({ length: 1100 }, (_, i) =>
      [...String(100_000_000 + 7919 * (i >> 1))].map((digit) => Number(digit) % 5).join(''),
    );
    const forwards = sampled(labels);
    expect(forwards.length).toBeGreaterThan(PROBES / 2);
    expect([...sampled(labels, labels.map((_, i) => i).reverse())].sort()).toEqual(
      [...forwards].sort(),
    );
  });

  test('takes the rarest labels first, each whole, until the next would be too many', () => {
    const anyLabels = fc
      .tuple(fc.constantFrom('0', '1', '2'), fc.constantFrom('0', '1', '2', '3'), fc.nat(1))
      .map(([a, b, long]) => `${a}00000${b}${'0'.repeat(long)}`);
    fc.assert(
      fc.property(fc.array(anyLabels, { maxLength: 120 }), (labels) => {
        const times = (kind: string) => labels.filter((each) => each === kind).length;
        const found = sampled(labels).map((i) => labels[i] as string);
        const taken = new Set(found);
        expect(found).toHaveLength([...taken].reduce((sum, kind) => sum + times(kind), 0));
        expect(found.map(times)).toEqual(found.map(times).sort((a, b) => a - b));
        const left = new Set(labels.filter((each) => each.length === 8 && !taken.has(each)));
        const next = Math.min(...[...left].map(times));
        expect(next).toBeGreaterThanOrEqual(Math.max(0, ...found.map(times)));
        expect(found.length + next).toBeGreaterThan(PROBES);
      }),
    );
  });
});
