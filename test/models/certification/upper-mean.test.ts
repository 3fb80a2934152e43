import { describe, expect, test } from '@jest/globals';
import { accuracyLimit } from '../../../models/certification/accuracy.js';
import { upperMean } from '../../../models/certification/upper-mean.js';
import { clopperPearson } from '../../../models/statistics/binomial.js';
import { Random } from '../../../models/tensor/random.js';
import { accuracyBound, TWINS } from '../../../services/institution/release/limits/charge.js';

const TRIALS = 300;
/** What an upper end of a 95 % interval may miss. */
const MISSES = 0.025;

/** Of candidates of a word: most are close, some are far, as f's are. */
type World = (random: Random) => { readonly squared: readonly number[] };

const CANDIDATES = 100;
/** Of the noise, for the true bound. */
const DRAWS = 8;

/** Δ² of a sentence for each candidate, given the noise: a skewed one with a share that is wide open. */
const skewed =
  (open: number, spread: number): World =>
  (random) => {
    const values = Array.from(random.normals(CANDIDATES), (z, i) =>
      i < open * CANDIDATES ? 30 + 10 * z ** 2 : 0.02 * Math.exp(spread * z),
    );
    return { squared: values };
  };

/** One name in `sentences` sentences: its charge from sampled twins, and the true bound. */
function entityOf(world: World, sentences: number, random: Random) {
  const all = Array.from({ length: sentences }, () => world(random).squared);
  const noise = () => 0.5 + random.uniform();
  const squared = Float64Array.from({ length: TWINS }, () => {
    const candidate = random.integer(CANDIDATES);
    return all.reduce((sum, own) => sum + (own[candidate] as number) * noise(), 0);
  });
  let truth = 0;
  for (let candidate = 0; candidate < CANDIDATES; candidate++)
    for (let draw = 0; draw < DRAWS; draw++)
      truth += accuracyLimit(
        all.reduce((sum, own) => sum + (own[candidate] as number) * noise(), 0),
      );
  return { bound: accuracyBound({ squared }), truth: truth / CANDIDATES / DRAWS };
}

describe('the upper end of a bound', () => {
  test.each([
    ['a name in one sentence, alike everywhere', skewed(0, 0.5), 1],
    ['a skewed one', skewed(0, 2), 1],
    ['one with a twin in a hundred that is wide open', skewed(0.01, 1), 1],
    ['one with a twin in twenty', skewed(0.05, 1), 5],
    ['a name in twenty sentences, which share their twins', skewed(0.1, 1), 20],
    ['a skewed name in twenty sentences', skewed(0, 2), 20],
  ])('lies below the truth at most as often as stated, for %s', (_, world, sentences) => {
    const random = new Random(3);
    let missed = 0;
    for (let trial = 0; trial < TRIALS / Math.sqrt(sentences); trial++) {
      const { bound, truth } = entityOf(world, sentences, random);
      if (bound < truth) missed++;
    }
    const [lower] = clopperPearson(missed, Math.round(TRIALS / Math.sqrt(sentences)));
    expect(lower).toBeLessThanOrEqual(MISSES);
  });

  test('holds where a draw in so many is 1 and all others are least, at any number of draws', () => {
    const random = new Random(4);
    for (const share of [0.02, 0.1]) {
      let missed = 0;
      for (let trial = 0; trial < TRIALS; trial++) {
        const values = Array.from({ length: TWINS }, () => (random.uniform() < share ? 1 : 0.5));
        if (upperMean(values, 0.5) < 0.5 + share / 2) missed++;
      }
      expect(clopperPearson(missed, TRIALS)[0]).toBeLessThanOrEqual(MISSES);
    }
  });

  test('is near the mean where all draws are, and nearer with more of them', () => {
    const few = upperMean(Array(TWINS).fill(0.51), 0.5);
    const many = upperMean(Array(10 * TWINS).fill(0.51), 0.5);
    expect(few).toBeLessThan(0.58);
    expect(many).toBeLessThan(0.52);
    expect(many).toBeGreaterThan(0.51);
  });

  test('is 1 where all draws are, and rises with each of them', () => {
    expect(upperMean([1, 1, 1], 0.5)).toBe(1);
    const values = Array(TWINS).fill(0.6);
    expect(upperMean([...values, 0.9], 0.5)).toBeGreaterThan(upperMean([...values, 0.6], 0.5));
  });
});
