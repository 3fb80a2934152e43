import { describe, expect, test } from '@jest/globals';
import { compareSystems } from '../../../models/evaluation/comparison.js';
import { comparisonTable } from '../../../models/evaluation/comparison-table.js';
import { CountColumns } from '../../../models/evaluation/count-columns.js';
import { Tally } from '../../../models/evaluation/evaluate.js';
import { HipaaView } from '../../../models/evaluation/hipaa-view.js';
import { approximateRandomisation } from '../../../models/statistics/approximate-randomisation.js';
import { templateDocumentId } from '../../../models/text/corpus/template-id.js';
import type { Span } from '../../../models/text/document.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';

const mean = (values: readonly number[]) => [
  values.reduce((sum, value) => sum + value, 0) / values.length,
];

describe('approximate randomisation', () => {
  test('equals the exact permutation test where all exchanges can be listed', async () => {
    const pairs = [
      [0.9, 0.5],
      [0.8, 0.7],
      [0.6, 0.65],
      [0.7, 0.4],
    ] as const;
    const observed = Math.abs(pairs.reduce((sum, [a, b]) => sum + a - b, 0));
    const exchanges = Array.from({ length: 16 }, (_, mask) =>
      Math.abs(pairs.reduce((sum, [a, b], at) => sum + (mask & (1 << at) ? b - a : a - b), 0)),
    );
    const exact = exchanges.filter((difference) => difference >= observed - 1e-12).length / 16;
    const [p] = await approximateRandomisation(pairs, mean, { seed: 1, trials: 20_000 });
    expect(p).toBeCloseTo(exact, 1.5);
  });

  test('systems that are alike differ with p = 1, and others with a small p', async () => {
    const equal = Array.from({ length: 20 }, () => [0.5, 0.5] as const);
    const better = Array.from({ length: 20 }, () => [0.9, 0.5] as const);
    expect(await approximateRandomisation(equal, mean, { seed: 1, trials: 99 })).toEqual([1]);
    expect(await approximateRandomisation(better, mean, { seed: 1, trials: 99 })).toEqual([0.01]);
  });

  test('depends on the seed alone', async () => {
    const pairs = Array.from({ length: 9 }, (_, at) => [at % 3, at % 2] as const);
    const p = (seed: number) => approximateRandomisation(pairs, mean, { seed, trials: 50 });
    expect(await p(1)).toEqual(await p(1));
  });

  test('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const test = approximateRandomisation([[1, 2]], mean, { seed: 1, signal });
    await expect(test).rejects.toThrow('enough');
  });
});

describe('a comparison of two systems', () => {
  const text = 'Ana went to Leeds on Monday.';
  const all: Span[] = [
    { type: 'PATIENT', start: 0, end: 3 },
    { type: 'CITY', start: 12, end: 17 },
    { type: 'DATE', start: 21, end: 27 },
  ];

  test('finds the better one better, measure by measure', async () => {
    const hipaa = new HipaaView(loadLabelScheme('i2b2-official-hipaa'));
    const columns = new CountColumns();
    const [good, poor] = [new Tally(hipaa, columns), new Tally(hipaa, columns)];
    for (let at = 0; at < 16; at++) {
      const gold = { id: `d${String(at).padStart(2, '0')}`, text, spans: all };
      good.add({ gold, system: gold });
      poor.add({ gold, system: { ...gold, spans: all.slice(1) } });
    }
    const compared = await compareSystems(good, poor, { seed: 1, trials: 199 });
    const recall = compared.find(({ measure }) => measure === 'token.binary.recall');
    expect(recall).toMatchObject({ system: 1, versus: 2 / 3, p: 1 / 200 });
    expect(recall?.difference).toBeCloseTo(1 / 3);
    const precision = compared.find(({ measure }) => measure === 'strict.micro.precision');
    expect(precision).toMatchObject({ difference: 0, p: 1 });
    const table = comparisonTable(compared, 199).join('\n');
    expect(table).toMatch(/token\.binary\.recall +100\.00 +66\.67 +33\.33 +0\.0050/);
    expect(table).toMatch(/leakage\.leakedCharacterShare +0\.00 +21\.43/);
  });

  test('takes the documents of one template for one', async () => {
    const columns = new CountColumns();
    const hipaa = new HipaaView(loadLabelScheme('i2b2-official-hipaa'));
    const [good, poor] = [new Tally(hipaa, columns), new Tally(hipaa, columns)];
    for (let at = 0; at < 16; at++) {
      const gold = { id: templateDocumentId(at % 2, at), text, spans: all };
      good.add({ gold, system: gold });
      poor.add({ gold, system: { ...gold, spans: all.slice(1) } });
    }
    const compared = await compareSystems(good, poor, { seed: 1, trials: 199 });
    // Of the four ways to exchange two templates two reach the difference.
    expect(compared.find(({ measure }) => measure === 'token.binary.recall')?.p).toBeCloseTo(
      0.5,
      1,
    );
  });
});
