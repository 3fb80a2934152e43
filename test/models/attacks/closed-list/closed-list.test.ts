import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { pureNoise, rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { closedList } from '../../../../models/attacks/closed-list/closed-list.js';
import { filled, listedEntities } from '../../../../models/attacks/closed-list/listed-entity.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import type { AuditTarget } from '../../../../models/attacks/target.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const attack = closedList({ trials: 150, longest: 6, draws: 2 });

async function attacked(options: ToyOptions, change = (target: AuditTarget) => target) {
  const target = change(await toyTarget(options));
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const [alone, withPrior] = await conduct(attack, target, context);
  return { alone, withPrior };
}

/** Notes in which one name is far more frequent than the others. */
function skewed({ train, test, ...target }: AuditTarget): AuditTarget {
  const [usual, ...others] = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'].map((name) =>
    target.vocabulary.idOf(name),
  );
  const random = new Random(8);
  const names = (examples: AuditTarget['test']) =>
    examples.map((example) => ({
      ...example,
      ids: example.ids.map((id, t) => {
        if (example.labels[t] === 0) return id;
        return random.uniform() < 0.7 ? usual : others[random.integer(others.length)];
      }),
    }));
  return { ...target, train: names(train), test: names(test) };
}

describe('naming an entity from a closed list', () => {
  test('always succeeds where vectors hide nothing', async () => {
    const { alone, withPrior } = await attacked({ view: rawEmbeddings });
    expect(alone.success.value).toBe(1);
    expect(withPrior.success.value).toBe(1);
    expect(alone.chance).toBeLessThan(0.3);
    expect(alone.topFive?.value).toBe(1);
  });

  test('is at chance where vectors hold nothing, with the prior and without', async () => {
    const { alone, withPrior } = await attacked({ view: pureNoise }, skewed);
    for (const report of [alone, withPrior]) {
      expect(beatsChance(report, { comparisons: 1 })).toBe(false);
      expect(report.success.interval[0]).toBeLessThanOrEqual(report.chance);
      expect(report.success.interval[1]).toBeGreaterThanOrEqual(report.chance);
    }
    expect(withPrior.chance).toBeGreaterThan(1.2 * alone.chance);
  });

  test('gives the same report for the same seed', async () => {
    expect(await attacked({})).toEqual(await attacked({}));
  });

  test('states chance for each type', async () => {
    const { alone } = await attacked({});
    const [slice] = alone.slices.filter(({ by }) => by === 'type');
    expect(slice).toMatchObject({ value: 'NAME', chance: alone.chance });
  });

  test('attacks the releases that are about to be shared', async () => {
    const { alone } = await attacked({ view: rawEmbeddings }, (target) => {
      const d = target.representation.config.dimension;
      const nothing = target.test.map(
        (example) => [example, new Float32Array(example.ids.length * d)] as const,
      );
      return { ...target, released: new Map(nothing) };
    });
    expect(alone.success.value).toBeLessThan(0.6);
  });

  test('names two entities where time is up, and says how many there were', async () => {
    const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
    const [alone] = await conduct(attack, await toyTarget(), { ...context, expired: () => true });
    expect(alone).toMatchObject({
      trials: 2,
      shortened: expect.stringMatching(/^2 of \d+ entities$/),
    });
  });

  test('is not tried where nothing could be listed', async () => {
    const target = await toyTarget();
    expect(attack.obstacle?.(target)).toBeUndefined();
    expect(attack.obstacle?.({ ...target, test: [] })).toContain('list of its type');
  });
});

describe('a listed entity', () => {
  test('is hidden in every sentence of its note, and with it the shorter forms of the name', async () => {
    const target = await toyTarget();
    const example = (documentIndex: number, text: string, labels: number[]) => ({
      ids: Int32Array.from(text.split(' '), (word) => target.vocabulary.idOf(word)),
      labels: Uint8Array.from(labels),
      documentIndex,
    });
    const test = [
      example(0, 'patient berta carla', [0, 1, 2]),
      example(0, 'carla fever', [1, 0]),
      example(1, 'seen emil frida', [0, 1, 2]),
    ];
    const notes = { ...target, train: [], validation: [], test };
    const entities = listedEntities(notes, 50, new Random(3));
    expect(entities).toHaveLength(2);
    const [person] = entities.filter(({ documentIndex }) => documentIndex === 0);
    const [, other] = person.list;
    const words = person.places.map((place) =>
      [...filled(place, other, target.vocabulary)]
        .map((id) => target.vocabulary.wordOf(id))
        .join(' '),
    );
    expect(words).toEqual(['patient emil frida', 'frida fever']);
  });

  test('is one name in any casing, and so is whatever may stand for it', async () => {
    const { vocabulary, ...target } = await toyTarget();
    const example = (documentIndex: number, text: string, labels: number[]) => ({
      ids: Int32Array.from(text.split(' '), (word) => vocabulary.idOf(word)),
      labels: Uint8Array.from(labels),
      documentIndex,
    });
    const test = [
      example(0, 'patient BERTA', [0, 1]),
      example(0, 'Berta fever', [1, 0]),
      example(1, 'seen Emil', [0, 1]),
      example(1, 'emil seen', [1, 0]),
    ];
    const notes = { ...target, vocabulary, train: [], validation: [], test };
    const entities = listedEntities(notes, 50, new Random(3));
    expect(entities.map(({ list, places }) => [list.length, places.length])).toEqual([
      [2, 2],
      [2, 2],
    ]);
    for (const { list, places } of entities) {
      const [own, other] = list.map((entity) =>
        places.map((place) => filled(place, entity, vocabulary)),
      );
      expect(own).toEqual(places.map((place) => place.example.ids));
      const casing = (ids: Int32Array) => Array.from(ids, (id) => vocabulary.casing(id));
      expect(other.map(casing)).toEqual(own.map(casing));
      expect(other).not.toEqual(own);
    }
  });
});
