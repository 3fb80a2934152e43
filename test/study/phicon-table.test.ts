import { describe, expect, test } from '@jest/globals';
import { Random } from '../../models/tensor/random.js';
import type { DocumentCounts, PhiconResult, PhiconRow } from '../../study/phicon.js';
import { phiconLines } from '../../study/phicon-table.js';

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

const resultsOf = (seeds: readonly ReturnType<typeof twoRows>[]) =>
  seeds.flatMap(({ without, phi }, i) => [run('without', i + 1, without), run('phi', i + 1, phi)]);

const ALL = Array.from({ length: 30 }, (_, i) => i);

describe('the interval of a gain', () => {
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

  test('is shorter for seeds that measured other documents', () => {
    const one = gainOf(resultsOf([twoRows(ALL.slice(0, 10))]));
    const three = gainOf(resultsOf([0, 10, 20].map((from) => twoRows(ALL.slice(from, from + 10)))));
    expect(three.bySeed).toHaveLength(3);
    expect(three.width).toBeLessThan(one.width);
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
