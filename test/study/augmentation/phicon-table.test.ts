import { describe, expect, test } from '@jest/globals';
import { studentInterval } from '../../../models/statistics/student.js';
import { Random } from '../../../models/tensor/random.js';
import type {
  DocumentCounts,
  PhiconCounts,
  PhiconResult,
  PhiconRow,
} from '../../../study/augmentation/phicon.js';
import { phiconLines } from '../../../study/augmentation/phicon-table.js';

/** A run that measured some documents. */
function run(row: PhiconRow, seed: number, documents: readonly DocumentCounts[]): PhiconResult {
  return {
    ...{ tagger: 'ours', row, share: 1, alpha: row === 'without' ? 0 : 1, seed },
    ...{ notes: 1, sentences: 1, augmented: 0, epochs: 1, bestEpoch: 1 },
    corpora: { notes: { documents, categories: {} } },
  };
}

/** What two rows found in each of so many documents; how much better the second is differs by document. */
function twoRows(origins: readonly number[], origin: (at: number) => number = (at) => at) {
  const of = (at: number, missed: number): DocumentCounts => {
    return { tp: 20 - missed, fp: 0, fn: missed, origin: origin(at) };
  };
  const random = new Random(4);
  const missed = Array.from({ length: 30 }, () => [random.integer(10), random.integer(5)]);
  return {
    without: origins.map((at) => of(at, missed[at][0])),
    phi: origins.map((at) => of(at, missed[at][1])),
  };
}

function gainOf(results: readonly PhiconResult[]) {
  const gain = phiconLines(results).find(({ row }) => row === 'phi')?.gain;
  if (!gain) throw new Error('there is no gain');
  return { ...gain, width: gain.interval[1] - gain.interval[0] };
}

/** Documents of so many tokens of PHI found and missed, in order. */
type Tokens = readonly [tp: number, fn: number];
const counted = (...documents: readonly Tokens[]): DocumentCounts[] =>
  documents.map(([tp, fn], origin) => ({ tp, fp: 0, fn, origin }));

/** The same documents again, so many times. */
const repeated = (times: number, ...documents: readonly Tokens[]): DocumentCounts[] =>
  counted(...Array.from({ length: times }, () => documents).flat());

/** F1 where nothing is taken for PHI that is none. */
const f1 = (tp: number, fn: number) => (2 * tp) / (2 * tp + fn);

const resultsOf = (seeds: readonly ReturnType<typeof twoRows>[]) =>
  seeds.flatMap(({ without, phi }, i) => [run('without', i + 1, without), run('phi', i + 1, phi)]);

const ALL = Array.from({ length: 30 }, (_, i) => i);

describe('a line of the table', () => {
  test('has the mean over seeds of what each found in all documents together', () => {
    const runs = [
      run('phi', 1, repeated(5, [10, 0], [2, 8])),
      run('phi', 2, repeated(5, [6, 4], [6, 4])),
      run('phi', 3, repeated(5, [0, 10], [5, 5])),
    ];
    const [line, ...others] = phiconLines(runs);
    expect(others).toEqual([]);
    expect(line?.f1.value).toBeCloseTo((f1(12, 8) + f1(12, 8) + f1(5, 15)) / 3, 12);
    expect(line?.f1.runs).toBe(3);
    expect(line?.recall).toBeCloseTo((0.6 + 0.6 + 0.25) / 3, 12);
    expect(line?.precision).toBe(1);
    expect(line?.f1.interval?.[0]).toBeLessThan(line?.f1.value ?? 0);
    expect(line?.f1.interval?.[1]).toBeGreaterThan(line?.f1.value ?? 1);
  });

  test('of one seed has the interval of its documents: none where all are alike, none given of a few', () => {
    const intervalOf = (...documents: readonly Tokens[]) =>
      phiconLines([run('phi', 1, counted(...documents))])[0]?.f1.interval;
    const alike = Array.from({ length: 10 }, () => [3, 1] as const);
    expect(intervalOf(...alike)).toEqual([f1(3, 1), f1(3, 1)]);
    expect(intervalOf(...alike.slice(1))).toBeNull();
  });

  test('is of its own tagger, row, share and α, and of no other', () => {
    const one = run('phi', 1, counted([4, 0]));
    const others: Partial<PhiconResult>[] = [
      { tagger: 'neuroner' },
      { row: 'both' },
      { share: 0.5 },
      { alpha: 2 },
    ];
    const lines = phiconLines([
      one,
      ...others.map((other) => ({ ...run('phi', 1, counted([0, 4])), ...other })),
    ]);
    expect(lines.map((line) => line.f1.value)).toEqual([1, 0, 0, 0, 0]);
  });

  test('has F1 of each category in the mean of the seeds that met it', () => {
    const withCategories = (seed: number, categories: PhiconCounts['categories']) => ({
      ...run('phi', seed, counted([1, 0])),
      corpora: { notes: { documents: counted([1, 0]), categories } },
    });
    const [line] = phiconLines([
      withCategories(1, { name: { tp: 3, fp: 0, fn: 1 }, date: { tp: 1, fp: 0, fn: 0 } }),
      withCategories(2, { name: { tp: 1, fp: 0, fn: 3 } }),
    ]);
    expect(line?.categories).toEqual({ name: (f1(3, 1) + f1(1, 3)) / 2, date: 1 });
  });
});

describe('what was not measured', () => {
  test('has no line, in the place of a line of zeros', () => {
    const elsewhere = { rulings: { documents: counted([5, 5]), categories: {} } };
    const without = run('without', 1, counted([5, 5]));
    const phi = { ...run('phi', 1, []), corpora: elsewhere };
    const lines = phiconLines([without, phi]);
    expect(lines.map(({ corpus, row }) => `${row} in ${corpus}`)).toEqual([
      'without in notes',
      'phi in rulings',
    ]);
    // There is nothing that it could be better than.
    expect(lines[1]?.gain).toBeNull();
  });

  test('is in the mean of no row, and a row says of how many runs its mean is', () => {
    const elsewhere = { rulings: { documents: counted([5, 5]), categories: {} } };
    const lines = phiconLines([
      run('phi', 1, counted([4, 0])),
      { ...run('phi', 2, []), corpora: elsewhere },
    ]);
    const notes = lines.find(({ corpus }) => corpus === 'notes');
    expect(notes?.f1).toMatchObject({ value: 1, runs: 1 });
  });

  test('without augmentation leaves a gain out, and nothing else of the line', () => {
    const [line] = phiconLines([run('phi', 1, counted([4, 4]))]);
    expect(line).toMatchObject({ row: 'phi', gain: null, f1: { value: f1(4, 4) } });
  });
});

describe('a gain', () => {
  test('is by document: as much more in each is sure, however the documents differ', () => {
    const without = repeated(3, [0, 8], [4, 4], [8, 0], [1, 7]);
    const same = gainOf([run('without', 1, without), run('phi', 1, without)]);
    expect(same).toMatchObject({ value: 0, interval: [0, 0], bySeed: [0] });
    const lines = phiconLines([run('without', 1, without)]);
    const [low, high] = lines[0]?.f1.interval ?? [0, 0];
    expect(high - low).toBeGreaterThan(0.2);
  });

  test('is the difference of the means, and each seed has its own', () => {
    const results = [
      run('without', 1, counted([2, 8])),
      run('without', 2, counted([5, 5])),
      run('phi', 1, counted([6, 4])),
      run('phi', 2, counted([4, 6])),
    ];
    const [one, two] = [f1(6, 4) - f1(2, 8), f1(4, 6) - f1(5, 5)];
    const gain = gainOf(results);
    expect(gain.bySeed[0]).toBeCloseTo(one, 12);
    expect(gain.bySeed[1]).toBeCloseTo(two, 12);
    expect(gain.value).toBeCloseTo((one + two) / 2, 12);
  });
});

describe('the interval of a gain', () => {
  test('of a single document leaves all open', () => {
    const results = [run('without', 1, counted([2, 8])), run('phi', 1, counted([6, 4]))];
    const { interval } = gainOf(results);
    expect(interval[0]).toBeCloseTo(-1, 12);
    expect(interval[1]).toBeCloseTo(1, 12);
  });

  test('is no shorter for seeds that measured the same documents again, in whatever order', () => {
    const once = gainOf(resultsOf([twoRows(ALL)]));
    const shuffled = [2, 3, 4, 5].map((seed) => {
      const order = [...ALL];
      new Random(seed).shuffle(order);
      return twoRows(order);
    });
    const often = gainOf(resultsOf([twoRows(ALL), ...shuffled]));
    expect(often.value).toBeCloseTo(once.value, 12);
    expect(often.interval[0]).toBeCloseTo(once.interval[0], 12);
    expect(often.interval[1]).toBeCloseTo(once.interval[1], 12);
  });

  test('is shorter for seeds that found as much in other documents', () => {
    const tenOf = (seed: number) => twoRows(ALL.slice(0, 10), (at) => 10 * seed + at);
    const one = gainOf(resultsOf([tenOf(0)]));
    const three = gainOf(resultsOf([0, 1, 2].map(tenOf)));
    expect(three.bySeed).toHaveLength(3);
    expect(three.width).toBeLessThan(one.width);
  });

  test('is wider where seeds differ, by as much as a mean of so few is off', () => {
    const without = repeated(10, [0, 8]);
    const seeds = [1, 2, 3];
    // All documents are alike, so that only the seeds are in doubt: F1 of 2, 4 and 6 tokens of eight.
    const gain = gainOf(
      seeds.flatMap((seed) => {
        const found = [2 * seed, 8 - 2 * seed] as const;
        return [run('without', seed, without), run('phi', seed, repeated(10, found))];
      }),
    );
    const gains = seeds.map((seed) => f1(2 * seed, 8 - 2 * seed));
    expect(gain.interval).toEqual(studentInterval(gains).map((end) => expect.closeTo(end, 12)));
    expect(gain.bySeed).toEqual(gains.map((each) => expect.closeTo(each, 12)));
  });

  test('draws the documents of a template together', () => {
    const apart = gainOf(resultsOf([twoRows(ALL)]));
    const together = gainOf(resultsOf([twoRows(ALL, (at) => at % 3)]));
    expect(together.value).toBeCloseTo(apart.value, 12);
    expect(together.interval).not.toEqual(apart.interval);
  });

  test('is missing where a seed has no run without augmentation', () => {
    const [without, phi] = resultsOf([twoRows(ALL)]);
    const lines = phiconLines([without, phi, { ...phi, seed: 2 }]);
    expect(lines.find(({ row }) => row === 'phi')?.gain).toBeNull();
  });
});
