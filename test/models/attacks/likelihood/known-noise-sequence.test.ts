import { beforeAll, describe, expect, test } from '@jest/globals';
import { type AttackReport, conduct } from '../../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { knownNoiseSequence } from '../../../../models/attacks/likelihood/known-noise-sequence.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

type Reports = [withPrior: AttackReport, without: AttackReport, priorAlone: AttackReport];

/** In these notes the first name of a sentence is often the first one, and so on. */
async function attacked(options: ToyOptions): Promise<Reports> {
  const target = await toyTarget({ sentences: [200, 60, 60], ...options });
  const names = [...new Set(target.test.flatMap(namesOf))];
  const random = new Random(8);
  for (const part of [target.train, target.validation, target.test])
    for (const example of part) setNames(example, names, random);
  return (await conduct(knownNoiseSequence({ trials: 50, draws: 4 }), target, {
    random: new Random(4),
    comparisons: 2,
    trials: [],
    distances: [],
  })) as Reports;
}

function namesOf({ ids, labels }: TextExample): number[] {
  return [...ids].filter((_, t) => labels[t] > 0);
}

/** B names are the first of all in two cases of three, I names the second. */
function setNames({ ids, labels }: TextExample, names: readonly number[], random: Random): void {
  labels.forEach((label, t) => {
    if (label === 0) return;
    ids[t] = random.uniform() < 2 / 3 ? names[label - 1] : names[random.integer(names.length)];
  });
}

describe('the known-noise attack on sequences', () => {
  test('reads every hidden word in raw embeddings, whatever the prior says', async () => {
    const [withPrior, without] = await attacked({ view: rawEmbeddings });
    expect(withPrior.success.value).toBe(1);
    expect(without.success.value).toBe(1);
    expect(withPrior.trials).toBeGreaterThan(50);
  });

  test('knows no more than its prior on pure noise, and without one guesses', async () => {
    const [withPrior, without, priorAlone] = await attacked({ view: pureNoise });
    expect(beatsChance(withPrior, { comparisons: 2 })).toBe(false);
    expect(beatsChance(without, { comparisons: 2 })).toBe(false);
    expect(without.chance).toBeCloseTo(1 / 6, 10);
    expect(priorAlone.success.value).toBeGreaterThan(0.5);
    expect(withPrior.chance).toBeCloseTo(priorAlone.success.value, 10);
  });

  test('names words of given releases, where guessing is what the lists give away', async () => {
    const target = await toyTarget({ sentences: [40, 20, 40] });
    const released = new Map(
      target.test.map((example) => {
        const dimension = target.representation.config.dimension;
        return [example, new Random(5).normals(example.ids.length * dimension)];
      }),
    );
    const attack = knownNoiseSequence({ trials: 40, draws: 2 });
    const context = { random: new Random(4), comparisons: 2, trials: [], distances: [] };
    const [, without] = (await conduct(attack, { ...target, released }, context)) as Reports;
    const [, fresh] = (await conduct(attack, target, context)) as Reports;
    expect(fresh.chance).toBeCloseTo(1 / 6, 10);
    // Right or wrong in each of the tries, where a word that is drawn leaves a likelihood.
    expect((without.chance * without.trials) % 1).toBeCloseTo(0, 6);
    expect(without.chance).not.toBeCloseTo(1 / 6, 10);
  });

  test('can be stronger than the vectors alone and than the prior alone', async () => {
    const [withPrior, without, priorAlone] = await attacked({ outputStddev: 0.2 });
    expect(withPrior.success.value).toBeGreaterThan(without.success.value);
    expect(withPrior.success.value).toBeGreaterThan(priorAlone.success.value);
    expect(beatsChance(without, { comparisons: 2 })).toBe(true);
  });

  test('shows what priors from fewer notes are worth', async () => {
    const [{ curves }] = await attacked({ view: pureNoise });
    const [{ over, points }] = curves;
    expect(over).toBe('notes');
    expect(points.map(({ at }) => at)).toEqual([7, 13, 25, 50]);
  });
});
