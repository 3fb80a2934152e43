import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Attack, conduct } from '../../../models/attacks/attack.js';
import { attributeInference } from '../../../models/attacks/attributes/attribute-inference.js';
import { inversion } from '../../../models/attacks/inversion/inversion.js';
import {
  continuedAdversary,
  freshTrainingAdversary,
} from '../../../models/attacks/learned/continued-adversary.js';
import { freshAdversary } from '../../../models/attacks/learned/fresh-adversary.js';
import { knownNoise } from '../../../models/attacks/likelihood/known-noise.js';
import { linkage } from '../../../models/attacks/linkage/linkage.js';
import { membership } from '../../../models/attacks/membership/membership.js';
import type { AuditTarget } from '../../../models/attacks/target.js';
import { Adversary } from '../../../models/networks/adversary.js';
import type { View } from '../../../models/networks/view.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { DIMENSION, toyExamples } from '../training/toy-notes.js';
import { toyPatients } from './attributes/toy-patients.js';
import { toyContext } from './toy-target.js';

beforeAll(async () => {
  await useBackend();
});

const limits = { maxEpochs: 1, patience: 1 };
const start = () => {
  const shape = { inputDimension: DIMENSION, dimension: 5, units: 4 };
  const adversary = Adversary.create(shape, new Random(1));
  const weights = adversary.parameters.toArrays();
  adversary.parameters.dispose();
  return weights;
};

/** A model that can be told to end with an error after so many uses. */
class Breaking {
  uses = 0;
  last = Number.POSITIVE_INFINITY;

  readonly view = (view: View): View => ({
    inputDimension: view.inputDimension,
    config: view.config,
    embed: this.#used(view.embed.bind(view)),
    mean: this.#used(view.mean.bind(view)),
    forward: this.#used(view.forward.bind(view)),
    inputStddev: this.#used(view.inputStddev.bind(view)),
    outputStddev: this.#used(view.outputStddev.bind(view)),
  });

  #used<P extends unknown[], R>(work: (...given: P) => R): (...given: P) => R {
    return (...given) => {
      if (++this.uses > this.last) throw new Error('broken off');
      return work(...given);
    };
  }
}

async function toyNotes(view?: (view: View) => View): Promise<AuditTarget> {
  const target = await toyPatients({ sentences: [120, 40, 60], ...(view && { view }) });
  return { ...target, members: toyExamples(target.vocabulary, 60, 77) };
}

describe.each<[string, () => Attack]>([
  ['a fresh adversary', () => freshAdversary({ shape: 'pooled', units: 4, limits })],
  ['a fresh adversary like that of training', () => freshTrainingAdversary({ units: 4, limits })],
  ['the adversary of training', () => continuedAdversary({ units: 4, start: start(), limits })],
  ['inversion', () => inversion({ units: 4, limits })],
  ['linkage', () => linkage({ limits, couples: 40 })],
  ['attribute inference', () => attributeInference('sex', limits)],
  ['membership', () => membership({ limits })],
  ['known noise', () => knownNoise({ trials: 8, pairs: 8, draws: 2, releases: [1] })],
])('%s', (_, make) => {
  const attack = make();

  test('leaves nothing in memory wherever the model ends with an error', async () => {
    const model = new Breaking();
    const target = await toyNotes(model.view);
    const context = await toyContext(target);
    const before = tf.memory().numTensors;
    model.uses = 0;
    await conduct(attack, target, context);
    const { uses } = model;
    expect(tf.memory().numTensors).toBe(before);
    for (const share of [0, 0.3, 0.5, 0.7, 0.9, 1]) {
      Object.assign(model, { uses: 0, last: Math.round(share * (uses - 1)) });
      await expect(conduct(attack, target, context)).rejects.toThrow('broken off');
      expect([share, tf.memory().numTensors]).toEqual([share, before]);
    }
  });

  test('leaves nothing in memory whenever it is told to end', async () => {
    const target = await toyNotes();
    const context = await toyContext(target);
    const before = tf.memory().numTensors;
    const endedAfter = async (last: number) => {
      const controller = new AbortController();
      let steps = 0;
      const progress = () => {
        if (++steps > last) controller.abort(new Error('enough'));
      };
      const own = { ...context, signal: controller.signal, progress };
      const ended = await conduct(attack, target, own).then(
        () => 'by itself',
        ({ message }: Error) => message,
      );
      expect([last, tf.memory().numTensors]).toEqual([last, before]);
      return { ended, steps };
    };
    const { steps } = await endedAfter(Number.POSITIVE_INFINITY);
    for (const share of [0.3, 0.6, 0.9]) await endedAfter(Math.floor(share * steps));
    expect((await endedAfter(0)).ended).toBe('enough');
  });
});
