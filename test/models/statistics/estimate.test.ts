import { describe, expect, test } from '@jest/globals';
import { clopperPearson } from '../../../models/statistics/binomial.js';
import { countedInterval, estimate } from '../../../models/statistics/estimate.js';
import { Random } from '../../../models/tensor/random.js';

describe('an estimate', () => {
  test('keeps an open end where all trials succeed or all fail', () => {
    const trials = Array.from({ length: 40 }, (_, i) => ({ documentIndex: i, value: 1 }));
    const { value, interval } = estimate(trials);
    expect(value).toBe(1);
    expect(interval[1]).toBe(1);
    expect(interval[0]).toBeLessThanOrEqual(clopperPearson(40, 40)[0] + 1e-9);
    expect(interval[0]).toBeGreaterThan(0.85);
  });

  test('is wider where trials of one document go together', () => {
    const alone = Array.from({ length: 400 }, (_, i) => ({ documentIndex: i, value: i % 2 }));
    const together = alone.map(({ value }, i) => ({
      documentIndex: 2 * Math.floor(i / 20) + value,
      value,
    }));
    const width = ({ interval }: { interval: readonly [number, number] }) =>
      interval[1] - interval[0];
    expect(width(estimate(together))).toBeGreaterThan(2 * width(estimate(alone)));
  });

  test('is wider the more attacks are compared', () => {
    const trials = Array.from({ length: 200 }, (_, i) => ({ documentIndex: i, value: i % 2 }));
    const { interval, corrected } = estimate(trials, 20);
    expect(corrected[0]).toBeLessThan(interval[0]);
    expect(corrected[1]).toBeGreaterThan(interval[1]);
  });

  test('is for one comparison at least', () => {
    const trials = [0, 1, 1].map((value, documentIndex) => ({ documentIndex, value }));
    for (const comparisons of [0, Number.NaN])
      expect(() => estimate(trials, comparisons)).toThrow(RangeError);
  });

  test('holds the true rate at least as often as it says, over clustered trials', () => {
    const random = new Random(3);
    let held = 0;
    for (let run = 0; run < 400; run++) {
      const trials = Array.from({ length: 30 }, (_, documentIndex) => {
        const rate = random.uniform() < 0.5 ? 0.15 : 0.45;
        return Array.from({ length: 8 }, () => {
          return { documentIndex, value: random.uniform() < rate ? 1 : 0 };
        });
      }).flat();
      const [low, high] = estimate(trials).interval;
      if (low <= 0.3 && 0.3 <= high) held += 1;
    }
    expect(held / 400).toBeGreaterThanOrEqual(0.94);
  });

  test.each([0.01, 0.99])(
    'holds a rate of %d where whole documents succeed or fail, and few of them differ',
    (rate) => {
      const random = new Random(4);
      let held = 0;
      for (let run = 0; run < 200; run++) {
        const trials = Array.from({ length: 30 }, (_, documentIndex) => {
          const value = Number(random.uniform() < rate);
          return Array.from({ length: 20 }, () => ({ documentIndex, value }));
        }).flat();
        const [low, high] = estimate(trials).interval;
        if (low <= rate && rate <= high) held += 1;
      }
      expect(held / 200).toBeGreaterThanOrEqual(0.95);
    },
  );

  test.each([0, 1, 2, 3])(
    'where %i documents differ is of no more trials than documents',
    (differing) => {
      const successOf = (documentIndex: number) => Number(documentIndex < differing);
      const trialsOf = (each: number) =>
        Array.from({ length: 30 * each }, (_, i) => {
          const documentIndex = Math.floor(i / each);
          return { documentIndex, value: successOf(documentIndex) };
        });
      const [one, many] = [estimate(trialsOf(1)), estimate(trialsOf(100))];
      for (const end of [0, 1] as const)
        expect(many.interval[end]).toBeCloseTo(one.interval[end], 9);
    },
  );

  test('of a constant is that constant', () => {
    const trials = [0.3, 0.3, 0.3].map((value, documentIndex) => ({ documentIndex, value }));
    expect(estimate(trials).interval).toEqual([0.3, 0.3]);
  });

  test('of values from a half up is that of what they have above it', () => {
    const shares = Array.from({ length: 60 }, (_, i) => (i % 20 === 0 ? 0.9 : 0.01 * (i % 7)));
    const trials = shares.map((value, i) => ({ documentIndex: i % 15, value }));
    const above = trials.map((each) => ({ ...each, value: 0.5 + each.value / 2 }));
    const [whole, half] = [estimate(trials, 4), estimate(above, 4, 0.5)];
    for (const which of ['interval', 'corrected'] as const)
      for (const end of [0, 1] as const)
        expect(half[which][end]).toBeCloseTo(0.5 + whole[which][end] / 2, 9);
    // Its upper end is higher than that of values that could be anything from 0 to 1.
    expect(half.interval[1]).toBeGreaterThan(estimate(above, 4).interval[1]);
  });

  test('says nothing of notes that are not there: one document leaves all open', () => {
    const trials = [0.6, 0.7, 0.8].map((value) => ({ documentIndex: 3, value }));
    expect(estimate(trials)).toMatchObject({ interval: [0, 1], corrected: [0, 1] });
    expect(estimate(trials, 15, 0.5)).toMatchObject({ interval: [0.5, 1], corrected: [0.5, 1] });
  });

  test.each([2, 3, 4])(
    'holds the mean of documents as often as it says, of %i of them',
    (count) => {
      const random = new Random(count);
      let held = 0;
      for (let run = 0; run < 300; run++) {
        const values = [...random.normals(count)];
        const trials = values.map((z, documentIndex) => ({ documentIndex, value: 0.5 + 0.04 * z }));
        const [low, high] = estimate(trials).interval;
        if (low <= 0.5 && 0.5 <= high) held += 1;
      }
      expect(held / 300).toBeGreaterThanOrEqual(0.92);
    },
  );
});

describe('the interval of counted trials', () => {
  /** Of documents of 100 trials, so many of which fail. */
  const intervalOf = (failures: readonly number[]) => {
    const documents = failures.length;
    const failed = failures.reduce((sum, each) => sum + each, 0);
    const squares = failures.reduce((sum, each) => sum + (failed / documents - each) ** 2, 0);
    const differing = failures.filter((each) => each > 0).length;
    const trials = 100 * documents;
    return countedInterval({ documents, trials, successes: trials - failed, squares, differing });
  };

  test('is that of the trials one by one', () => {
    const counts = [4, 2, 5, 0, 3].map((successes) => ({ successes, trials: 5 }));
    const trials = counts.flatMap(({ successes }, documentIndex) =>
      Array.from({ length: 5 }, (_, k) => ({ documentIndex, value: k < successes ? 1 : 0 })),
    );
    const share = 14 / 25;
    const squares = counts.reduce((sum, each) => sum + (each.successes - 5 * share) ** 2, 0);
    const found = countedInterval({
      documents: 5,
      trials: 25,
      successes: 14,
      squares,
      differing: 4,
    });
    const expected = estimate(trials).interval;
    for (const end of [0, 1] as const) expect(found[end]).toBeCloseTo(expected[end], 12);
  });

  test('where no document differs is of no more trials than documents', () => {
    const all = intervalOf(Array<number>(40).fill(0));
    const [low, high] = estimate(
      Array.from({ length: 40 }, (_, documentIndex) => ({ documentIndex, value: 1 })),
    ).interval;
    expect(all[0]).toBeCloseTo(low, 12);
    expect([all[1], high]).toEqual([1, 1]);
  });

  test.each([1, 2, 3])(
    'is no shorter where %i documents differ than where none does',
    (differing) => {
      const none = Array<number>(40).fill(0);
      const some = none.map((_, i) => (i < differing ? 1 : 0));
      expect(intervalOf(some)[0]).toBeLessThan(intervalOf(none)[0] + 1 / 40);
    },
  );

  test.each([
    [5, 0.1],
    [10, 0.5],
  ])(
    'of %i documents all of which are right is above %d, also of 25 attacks',
    (documents, chance) => {
      const [low] = countedInterval(
        {
          documents,
          trials: 100 * documents,
          successes: 100 * documents,
          squares: 0,
          differing: 0,
        },
        1 - 0.05 / 25,
      );
      expect(low).toBeGreaterThan(chance);
    },
  );

  test('is the same at either end', () => {
    const counts = { documents: 20, trials: 2000, squares: 0.95, differing: 1 };
    const [low, high] = countedInterval({ ...counts, successes: 1999 });
    const other = countedInterval({ ...counts, successes: 1 });
    expect(other[0]).toBeCloseTo(1 - high, 9);
    expect(other[1]).toBeCloseTo(1 - low, 9);
  });
});
