import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { philoxBlock, philoxWords } from '../../../models/tensor/philox.js';
import { Random } from '../../../models/tensor/random.js';
import { streamWords } from '../../../models/tensor/stream-words.js';

describe('Philox 4x32', () => {
  // The known-answer vectors of the Random123 distribution: counter, key, block.
  test.each([
    [
      [0, 0, 0, 0],
      [0, 0],
      [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
    ],
    [
      [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
      [0xffffffff, 0xffffffff],
      [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
    ],
    [
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
      [0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])('gives the published blocks of counter %p', (counter, key, block) => {
    const out = new Uint32Array(4);
    philoxBlock(counter, key as [number, number], out);
    expect([...out]).toEqual(block);
  });

  test('gives the same words from any place in a stream', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(2 ** 20), (skip, count, start) => {
        const key = [7, 9] as const;
        const all = philoxWords({ key, counter: start }, skip + count);
        expect(philoxWords({ key, counter: start + skip }, count)).toEqual(all.slice(skip));
      }),
    );
  });

  test('gives the same words by a kernel', () => {
    for (const counter of [0, 3, 4, 61, 4 * 2 ** 32 - 9, 2 ** 50 + 1])
      for (const count of [0, 1, 4, 63, 64, 65, 1000]) {
        const position = { key: [20, 26] as const, counter };
        expect(streamWords(position, count)).toEqual(philoxWords(position, count));
      }
  });

  test('does not repeat after 2^32 blocks', () => {
    const key = [1, 2] as const;
    const later = philoxWords({ key, counter: 4 * 2 ** 32 }, 8);
    expect(later).not.toEqual(philoxWords({ key, counter: 0 }, 8));
  });
});

describe('Random', () => {
  test('draws the same numbers for the same seed and others for another', () => {
    const draw = (seed: number) => [...new Random(seed).normals(50), new Random(seed).uniform()];
    expect(draw(5)).toEqual(draw(5));
    expect(draw(5)).not.toEqual(draw(6));
    expect(draw(5)).not.toEqual(draw(5 + 2 ** 32));
  });

  test('continues from a saved state', () => {
    const random = new Random(11);
    random.uniform();
    random.normals(7);
    const saved = JSON.parse(JSON.stringify(random.save()));
    const next = [random.integer(1000), ...random.normals(3), random.uniform()];
    const restored = Random.restore(saved);
    expect([restored.integer(1000), ...restored.normals(3), restored.uniform()]).toEqual(next);
  });

  test('forks a stream that depends on the label and not on what was drawn', () => {
    const random = new Random(3);
    const early = random.fork('noise').normals(4);
    random.normals(100);
    expect(random.fork('noise').normals(4)).toEqual(early);
    expect(random.fork('dropout').normals(4)).not.toEqual(early);
    expect(random.fork('noise').fork('noise').normals(4)).not.toEqual(early);
  });

  test('draws integers of any range evenly', () => {
    const random = new Random(1);
    const range = 3_000_000_000;
    let low = 0;
    const draws = 20_000;
    for (let i = 0; i < draws; i++) {
      const drawn = random.integer(range);
      expect(drawn).toBeLessThan(range);
      if (drawn < range / 2) low++;
    }
    // A plain remainder of 32 bits would put 0.65 of the draws into the lower half.
    expect(low / draws).toBeCloseTo(0.5, 1);
    expect(() => random.integer(0)).toThrow('expected 1 to 2^32');
  });

  test('shuffles every element into every place alike', () => {
    const random = new Random(2);
    const counts = new Float64Array(16);
    for (let round = 0; round < 8000; round++) {
      const order = [0, 1, 2, 3];
      random.shuffle(order);
      order.forEach((element, place) => {
        counts[element * 4 + place] = (counts[element * 4 + place] as number) + 1;
      });
    }
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test('draws normals with the moments of the standard normal, and uniforms below 1', () => {
    expectMoments(new Random(4).normals(200_001));
    const uniforms = new Random(4).uniforms(10_000);
    expect(Math.min(...uniforms)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...uniforms)).toBeLessThan(1);
  });

  test('refuses a seed that is no whole number', () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => new Random(seed)).toThrow('expected an integer');
    }
  });
});

function expectMoments(sample: Float32Array): void {
  const mean = (power: number) => sample.reduce((sum, x) => sum + x ** power, 0) / sample.length;
  expect(Math.abs(mean(1))).toBeLessThan(0.01);
  expect(Math.abs(mean(2) - 1)).toBeLessThan(0.02);
  expect(Math.abs(mean(3))).toBeLessThan(0.04);
  expect(Math.abs(mean(4) - 3)).toBeLessThan(0.1);
}
