import { expect, test } from '@jest/globals';
import { nativeFunction } from '../../../models/tensor/addon.js';
import { generate, noiseWords, STRETCH } from '../../../models/tensor/noise-words.js';
import { streamNoiseWords } from '../../../models/tensor/stream-words.js';
import { instructionSets } from './native-session.js';

const KEY = [20, 26] as const;

test('a generator gives the published words of xoshiro128++ for the state 1, 2, 3, 4', () => {
  const stretch = new Uint32Array(160);
  generate(Uint32Array.of(1, 2, 3, 4), stretch, 0);
  expect([...stretch].filter((_, i) => i % 16 === 0)).toEqual([
    641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295, 495546011,
    621204420,
  ]);
});

test('a draw is the beginning of every longer one', () => {
  const all = noiseWords({ key: KEY, counter: 40 }, 2 * STRETCH + 5);
  for (const count of [0, 1, 17, STRETCH, STRETCH + 3]) {
    expect(noiseWords({ key: KEY, counter: 40 }, count)).toEqual(all.slice(0, count));
  }
});

test('a stretch is the one that a draw from there begins with', () => {
  const all = noiseWords({ key: KEY, counter: 40 }, STRETCH + 100);
  const second = noiseWords({ key: KEY, counter: 40 + STRETCH }, 100);
  expect(second).toEqual(all.slice(STRETCH));
});

test('draws that touch have no generator in common', () => {
  const words = [0, 4, 8, 12, 64].map((start) => noiseWords({ key: KEY, counter: start }, 1000));
  const distinct = new Set(words.flatMap((each) => [...each]));
  // Of 5,000 words of 32 bits, 0.003 are expected twice.
  expect(distinct.size).toBeGreaterThan(4995);
});

test.each(instructionSets())('a kernel draws the same words with %s', (isa) => {
  const before = nativeFunction('useIsa')(isa);
  try {
    for (const counter of [0, 40, 4 * 2 ** 32 - 8])
      for (const count of [0, 1, 15, 16, 17, 1000, STRETCH, 2 * STRETCH + 5]) {
        const position = { key: KEY, counter };
        expect(streamNoiseWords(position, count)).toEqual(noiseWords(position, count));
      }
  } finally {
    nativeFunction('useIsa')(before);
  }
});
