import { describe, expect, test } from '@jest/globals';
import { accuracyLimit } from '../../../services/encoder/charge.js';
import { NOTHING_SPENT, type Spent, withhold } from '../../../services/encoder/withhold.js';

/** Φ(½√s) = 0.6 at about this s. */
const BUDGET = 0.2567;
const POLICY = { limit: 0.6 };

/** By sentence, what each of its entities is charged; on the twin's side the same unless stated. */
type Job = readonly Readonly<Record<string, number | readonly [number, number]>>[];

function decide(
  job: Job,
  policy: Parameters<typeof withhold>[2] = POLICY,
  spent: Readonly<Record<string, Spent>> = {},
  twins: Readonly<Record<string, string>> = {},
) {
  const charges = job.map((sentence) =>
    Object.entries(sentence).map(([entity, charge]) => {
      const [mean, twin] = typeof charge === 'number' ? [charge, charge] : charge;
      return { entity, mean, variance: 0, twins: [twin, twin, twin, twin] };
    }),
  );
  const names = new Set(job.flatMap((sentence) => Object.keys(sentence)));
  const twinNames = new Map(
    [...names].map((name) => [name, new Array<string>(4).fill(twins[name] ?? `${name}'`)]),
  );
  return withhold({ charges, twinNames }, (entity) => spent[entity] ?? NOTHING_SPENT, policy);
}

describe('withholding', () => {
  test('the budget of these tests is that of the limit', () => {
    expect(accuracyLimit(BUDGET)).toBeCloseTo(0.6, 3);
  });

  test('leaves everything where every entity is under the limit', () => {
    const decision = decide([{ ana: 0.1 }, { ana: 0.1, eva: 0.2 }, {}]);
    expect(decision.withheld).toEqual([false, false, false]);
    expect(decision).toMatchObject({ entities: 2, differing: 0 });
    expect(decision.accuracy).toBeCloseTo((2 * accuracyLimit(0.2)) / 2);
  });

  test('takes the largest charge away first, until each entity is under the limit', () => {
    const { withheld } = decide([{ ana: 0.1 }, { ana: 0.3 }, { ana: 0.12 }, { ana: 0.2 }, {}]);
    expect(withheld).toEqual([false, true, false, true, false]);
  });

  test('counts what earlier jobs revealed', () => {
    const before = { ana: { mean: 0.2, variance: 0, sentences: 3 } };
    expect(decide([{ ana: 0.1 }, { eva: 0.1 }], POLICY, before).withheld).toEqual([true, false]);
  });

  test('takes the upper end of the interval, not the estimate', () => {
    const before = { ana: { mean: 0.1, variance: 0.01, sentences: 1 } };
    expect(decide([{ ana: 0.1 }], POLICY, before).withheld).toEqual([true]);
  });

  test('withholds every sentence with PHI under a limit that cannot be met', () => {
    const decision = decide([{ ana: 0.1 }, { eva: 0.4 }, {}], { limit: 0.5001 });
    expect(decision.withheld).toEqual([true, true, false]);
    // The twin would have been withheld as well: nothing is given away.
    expect(decision).toMatchObject({ differing: 0, accuracy: 0.5 });
  });

  test('counts a pair as lost where the twin would have been released', () => {
    const decision = decide([{ ana: [0.4, 0.1] }, { eva: 0.1 }]);
    expect(decision).toMatchObject({ withheld: [true, false], differing: 0.5 });
    expect(decision.accuracy).toBeCloseTo(0.5 + accuracyLimit(0.1) / 2);
  });

  test('counts a pair as lost where the twin would have been withheld', () => {
    const decision = decide([{ ana: [0.1, 0.4] }, { eva: 0.1 }]);
    expect(decision).toMatchObject({ withheld: [false, false], differing: 0.5 });
  });

  test('counts a pair as lost where only the order of charges decides what stays', () => {
    const job = [{ ana: 0.2 }, { ana: 0.15 }, { ana: 0.1 }];
    expect(decide(job)).toMatchObject({ withheld: [true, false, false], differing: 1 });
  });

  test('caps the sentences of an entity by their pattern alone, which gives nothing away', () => {
    const job = Array.from({ length: 5 }, () => ({ ana: 0.1 }));
    const policy = { ...POLICY, maxSentencesPerEntity: 2 };
    expect(decide(job, policy)).toMatchObject({
      withheld: [false, false, true, true, true],
      differing: 0,
    });
    const before = { ana: { mean: 0.1, variance: 0, sentences: 1 } };
    expect(decide(job, policy, before).withheld).toEqual([false, true, true, true, true]);
  });

  test('counts a pair as lost where the twin has the name of another, and the cap would bind', () => {
    const policy = { ...POLICY, maxSentencesPerEntity: 2 };
    const decision = decide(
      [{ ana: 0.1 }, { eva: 0.01 }, { eva: 0.01 }],
      policy,
      {},
      { ana: 'eva' },
    );
    expect(decision).toMatchObject({ withheld: [false, false, false], differing: 0.5 });
  });

  test('counts a pair as lost where twin and namesake together are over the limit', () => {
    const spent = { eva: { mean: 0.2, variance: 0, sentences: 4 } };
    expect(decide([{ ana: 0.1 }], POLICY, spent, { ana: 'eva' }).differing).toBe(1);
  });

  test('counts a twin that is the word itself as no difference', () => {
    expect(decide([{ ana: [0.4, 0] }], POLICY, {}, { ana: 'ana' }).differing).toBe(0);
  });
});
