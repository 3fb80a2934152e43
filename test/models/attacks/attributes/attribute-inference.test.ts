import { beforeAll, describe, expect, test } from '@jest/globals';
import { conduct } from '../../../../models/attacks/attack.js';
import { ATTRIBUTES } from '../../../../models/attacks/attributes/attribute.js';
import { attributeInference } from '../../../../models/attacks/attributes/attribute-inference.js';
import { cluesOf, trialsOf } from '../../../../models/attacks/attributes/clues.js';
import { sexOfGivenName } from '../../../../models/attacks/attributes/given-names.js';
import { pureNoise, rawEmbeddings } from '../../../../models/attacks/baseline-views.js';
import { beatsChance } from '../../../../models/attacks/report/guessing.js';
import type { AuditTarget } from '../../../../models/attacks/target.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { useBackend } from '../../../../models/tensor/backend.js';
import { Random } from '../../../../models/tensor/random.js';
import type { TextExample } from '../../../../models/training/data/examples.js';
import { toyVocabulary } from '../../training/toy-notes.js';
import { type ToyOptions, toyTarget } from '../toy-target.js';
import { toyPatients } from './toy-patients.js';

beforeAll(async () => {
  await useBackend();
});

const attack = attributeInference('sex', { maxEpochs: 25, patience: 25 });

async function inferred(options: ToyOptions) {
  const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
  const [report] = await conduct(attack, await toyPatients(options), context);
  return report;
}

describe('attribute inference', () => {
  test('tells the sex of every name in raw embeddings', async () => {
    const report = await inferred({ view: rawEmbeddings });
    expect(report.success.value).toBeGreaterThan(0.97);
    expect(report.chance).toBeLessThan(0.7);
  });

  test('tries given names that tell a sex, and no others', async () => {
    const target = await toyPatients({ view: rawEmbeddings });
    const gustav = target.vocabulary.idOf('gustav');
    const told = target.test.filter(({ ids }) => !ids.includes(gustav));
    expect(told.length).toBeLessThan(target.test.length);
    expect((await inferred({ view: rawEmbeddings })).trials).toBe(told.length);
  });

  test('learns names that stand in none of its own notes', async () => {
    const target = await toyPatients({ view: rawEmbeddings });
    const idsOf = (names: string[]) => names.map((name) => target.vocabulary.idOf(name));
    const parts = (own: number[]) => (examples: readonly TextExample[]) =>
      examples.filter(({ ids }) => ids.some((id) => own.includes(id)));
    const own = parts(idsOf(['berta', 'david']));
    const others = parts(idsOf(['carla', 'frida', 'emil']));
    const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
    const notes = {
      train: own(target.train),
      validation: own(target.validation),
      test: others(target.test),
    };
    const [report] = await conduct(attack, { ...target, ...notes }, context);
    expect(report.success.value).toBeGreaterThan(0.97);
  });

  test('of surrogates tells the sex of each by itself, whatever the note says of its patient', async () => {
    const target = await toyPatients({ view: rawEmbeddings });
    const context = { random: new Random(4), comparisons: 1, trials: [], distances: [] };
    const turned = [...(target.patients ?? [])].map(([example, { sex }], i) => {
      const other = sex === 'female' ? ('male' as const) : ('female' as const);
      return [example, { sex: i % 2 === 0 ? sex : other }] as const;
    });
    const filled = { ...target, patients: new Map(turned), replaced: new Map() };
    const [report] = await conduct(attack, filled, context);
    expect(report.success.value).toBeGreaterThan(0.97);
    expect(report.description).toContain('of each surrogate what it tells by itself');
    expect((await inferred({ view: rawEmbeddings })).description).not.toContain('surrogate');
  });

  test('tells nothing from pure noise', async () => {
    expect(beatsChance(await inferred({ view: pureNoise }), { comparisons: 1 })).toBe(false);
  });

  test('says why it cannot be tried where the notes do not say who is who', async () => {
    const target = await toyTarget();
    expect(attack.obstacle?.(target)).toContain('the sex of patients');
    expect(attack.obstacle?.(await toyPatients({}))).toBeUndefined();
  });
});

test('a name without a vector tells a sex where a model tells it by its letters', () => {
  const cluesIn = (characters: boolean) => {
    const vocabulary = new Vocabulary(toyVocabulary().embeddings, { characters });
    const ids = Int32Array.from(['patient', 'carmen'], (word) => vocabulary.idOf(word));
    const example = { ids, labels: Uint8Array.of(0, 1), documentIndex: 0 };
    const patients = new Map([[example, { sex: 'female' as const }]]);
    const labels = ['O', 'B-PATIENT', 'I-PATIENT'];
    return cluesOf({ labels, patients, vocabulary }, [example], ATTRIBUTES.sex).length;
  };
  expect(cluesIn(true)).toBe(1);
  expect(cluesIn(false)).toBe(0);
});

describe('surrogates', () => {
  const labels = ['O', 'B-PATIENT', 'I-PATIENT', 'B-AGE', 'I-AGE'];
  const patient = { sex: 'female', ageGroup: '65 and over' } as const;
  const cluesIn = (words: string[], labelled: number[], name: 'sex' | 'age') => {
    const vocabulary = new Vocabulary(toyVocabulary().embeddings, { characters: true });
    const ids = Int32Array.from(words, (word) => vocabulary.idOf(word));
    const example = { ids, labels: Uint8Array.from(labelled), documentIndex: 0 };
    const target = { labels, patients: new Map([[example, patient]]), vocabulary };
    const truthsOf = (replaced: AuditTarget['replaced']) => {
      const notes = { ...target, replaced };
      const clues = cluesOf(notes, [example], ATTRIBUTES[name]);
      return trialsOf(notes, clues).map((trial) => trial.map(({ truth }) => truth));
    };
    return { kept: truthsOf(undefined), replaced: truthsOf(new Map()) };
  };

  test('tell a sex each by itself, in one trial with all of its given names', () => {
    expect(cluesIn(['carmen', 'antonio'], [1, 1], 'sex')).toEqual({
      ...{ kept: [[0, 0]], replaced: [[0], [1]] },
    });
    expect(cluesIn(['maría', 'josé', 'garcía', 'antonio'], [1, 2, 2, 1], 'sex')).toEqual({
      ...{ kept: [[0, 0, 0]], replaced: [[0, 0], [1]] },
    });
  });

  test('tell an age group each by itself, whatever the note says of its patient', () => {
    expect(cluesIn(['30', 'years', ',', '70', '8', 'months'], [3, 4, 0, 3, 3, 4], 'age')).toEqual({
      ...{ kept: [[3, 3, 3, 3, 3]], replaced: [[1, 1], [3], [0, 0]] },
    });
  });
});

test('a given name tells a sex unless it is a surname too, or of both sexes', () => {
  expect(['María', 'CARMEN', 'Berta'].map(sexOfGivenName)).toEqual(Array(3).fill('female'));
  expect(['José', 'antonio', 'David'].map(sexOfGivenName)).toEqual(Array(3).fill('male'));
  for (const word of ['Alonso', 'García', 'Addison', 'fever', ''])
    expect(sexOfGivenName(word)).toBeUndefined();
});
