import { expect, test } from '@jest/globals';
import { LanguagePrior } from '../../../../models/attacks/likelihood/language-prior.js';
import { Random } from '../../../../models/tensor/random.js';

const WORDS = 12;

/** Words 0 to 9, each followed by the next one nine times in ten. */
function counting(sentences: number, seed: number) {
  const random = new Random(seed);
  return Array.from({ length: sentences }, (_, documentIndex) => {
    const ids = new Int32Array(8);
    ids.forEach((_, t) => {
      ids[t] = t > 0 && random.uniform() < 0.9 ? (ids[t - 1] + 1) % 10 : random.integer(10);
    });
    return { ids, labels: new Uint8Array(8), documentIndex };
  });
}

const prior = new LanguagePrior(counting(60, 1), counting(20, 2));
const labels = new Uint8Array(2);
const after = (word: number, next: number) =>
  prior.logProbability(Int32Array.of(word, next), labels, [1]);

test('the prior knows what follows what, and weighs that by notes that it did not count', () => {
  expect(after(3, 4)).toBeGreaterThan(after(3, 8) + 2);
  const [uniform, , bigram] = prior.weights;
  expect(bigram).toBeGreaterThan(0.8);
  expect(uniform).toBeGreaterThan(0);
});

test('the prior gives all words together no more than one, and none nothing', () => {
  const all = Array.from({ length: WORDS }, (_, word) => Math.exp(after(3, word)));
  const known = all.slice(0, 10).reduce((sum, each) => sum + each, 0);
  expect(known).toBeLessThanOrEqual(1 + 1e-9);
  expect(known).toBeGreaterThan(0.99);
  for (const each of all) expect(each).toBeGreaterThan(0);
});

test('a word counts for itself and for the word after it, each once', () => {
  const ids = Int32Array.of(3, 4, 5);
  const zeros = new Uint8Array(3);
  const whole = prior.logProbability(ids, zeros, [0, 1, 2]);
  expect(prior.logProbability(ids, zeros, [0, 1])).toBeCloseTo(whole, 10);
  expect(prior.logProbability(ids, zeros, [1])).toBeCloseTo(after(3, 4) + after(4, 5), 10);
});
