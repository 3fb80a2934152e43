import { beforeAll, describe, expect, test } from '@jest/globals';
import { useBackend } from '../../../models/tensor/backend.js';
import { Adam, Nadam } from '../../../models/tensor/optimiser.js';
import { Random } from '../../../models/tensor/random.js';
import * as tf from '../../../models/tensor/tf.js';
import { expectClose } from './gradient-check.js';
import { backends, useInstructionSet } from './native-session.js';

const RATE = 0.05;
const BETA1 = 0.9;
const BETA2 = 0.999;
const EPSILON = 1e-7;

/** Kingma and Ba 2015, algorithm 1, line by line. */
function adamPath(start: number[], gradients: number[][]): number[] {
  const p = [...start];
  const m = p.map(() => 0);
  const v = p.map(() => 0);
  gradients.forEach((g, index) => {
    const t = index + 1;
    for (let i = 0; i < p.length; i++) {
      m[i] = BETA1 * at(m, i) + (1 - BETA1) * at(g, i);
      v[i] = BETA2 * at(v, i) + (1 - BETA2) * at(g, i) ** 2;
      const mHat = at(m, i) / (1 - BETA1 ** t);
      const vHat = at(v, i) / (1 - BETA2 ** t);
      p[i] = at(p, i) - (RATE * mHat) / (Math.sqrt(vHat) + EPSILON);
    }
  });
  return p;
}

/** Dozat 2016, algorithm 2, with the schedule of its section 2, line by line. */
function nadamPath(start: number[], gradients: number[][]): number[] {
  const p = [...start];
  const m = p.map(() => 0);
  const n = p.map(() => 0);
  const mu = (t: number) => BETA1 * (1 - 0.5 * 0.96 ** (t / 250));
  let product = 1;
  gradients.forEach((g, index) => {
    const t = index + 1;
    product *= mu(t);
    for (let i = 0; i < p.length; i++) {
      const gHat = at(g, i) / (1 - product);
      m[i] = BETA1 * at(m, i) + (1 - BETA1) * at(g, i);
      const mHat = at(m, i) / (1 - product * mu(t + 1));
      n[i] = BETA2 * at(n, i) + (1 - BETA2) * at(g, i) ** 2;
      const nHat = at(n, i) / (1 - BETA2 ** t);
      const mBar = (1 - mu(t)) * gHat + mu(t + 1) * mHat;
      p[i] = at(p, i) - (RATE * mBar) / (Math.sqrt(nHat) + EPSILON);
    }
  });
  return p;
}

function clipped(gradients: number[][], limit: number): number[][] {
  return gradients.map((g) => {
    const norm = Math.hypot(...g);
    return norm > limit ? g.map((x) => (x * limit) / norm) : g;
  });
}

describe.each(backends())('optimisers on %s %s', (backend, isa) => {
  useInstructionSet(isa);
  beforeAll(async () => {
    await useBackend(backend);
  });

  test.each([
    ['Adam', Adam, adamPath],
    ['Nadam', Nadam, nadamPath],
  ] as const)(
    '%s follows the formulas of its paper, with the norm clipped over all variables',
    (_, Optimiser, path) => {
      const random = new Random(1);
      const start = [...random.normals(10)];
      const gradients = Array.from({ length: 40 }, () => [...random.normals(10)]);
      const variables = [
        tf.variable(tf.tensor2d(start.slice(0, 6), [2, 3])),
        tf.variable(tf.tensor1d(start.slice(6))),
      ];
      const optimiser = new Optimiser(variables, { learningRate: RATE, clipNorm: 2 });
      for (const gradient of gradients) {
        const { norm } = step(optimiser, variables, gradient);
        expect(norm).toBeCloseTo(Math.hypot(...gradient), 4);
      }
      expectClose(values(variables), path(start, clipped(gradients, 2)), 1e-4);
      optimiser.dispose();
      tf.dispose(variables);
    },
  );

  test('a restored optimiser goes on as if it had not stopped', () => {
    const random = new Random(2);
    const gradients = Array.from({ length: 6 }, () => [...random.normals(4)]);
    const variable = tf.variable(tf.zeros([4]), true, `restored-on-${backend}`);
    const optimiser = new Nadam([variable], { learningRate: RATE });
    for (const gradient of gradients.slice(0, 3)) step(optimiser, [variable], gradient);
    const saved = optimiser.state();
    const weights = values([variable]);
    for (const gradient of gradients.slice(3)) step(optimiser, [variable], gradient);
    const expected = values([variable]);

    tf.tidy(() => variable.assign(tf.tensor1d(weights)));
    const other = new Nadam([variable], { learningRate: RATE });
    other.restore(saved);
    for (const gradient of gradients.slice(3)) step(other, [variable], gradient);
    expect(values([variable])).toEqual(expected);
    expect(() => other.restore({ step: saved.step as Float32Array })).toThrow('/m has no values');
    tf.dispose(variable);
  });

  test('a warm-up takes as large a share of the first steps as they are of it', () => {
    const variable = tf.variable(tf.zeros([1]));
    const optimiser = new Adam([variable], { learningRate: 1, warmupSteps: 4, clipNorm: 1 });
    const places = Array.from({ length: 6 }, () => {
      optimiser.apply({ [variable.name]: tf.ones([1]) });
      return variable.dataSync()[0] as number;
    });
    // Adam's steps along one and the same gradient are of the learning rate.
    expectClose(places, [-0.25, -0.75, -1.5, -2.5, -3.5, -4.5], 1e-4);
  });

  test('a clone of a variable keeps its values while the variable is trained', () => {
    const variable = tf.variable(tf.zeros([3]));
    const best = variable.clone();
    const optimiser = new Adam([variable], { learningRate: RATE });
    step(optimiser, [variable], [1, 1, 1]);
    expect([...best.dataSync()]).toEqual([0, 0, 0]);
    expect([...variable.dataSync()]).not.toEqual([0, 0, 0]);
    tf.dispose([variable, best]);
  });

  test('a gradient that is not finite stops with the step and the variable, and changes nothing', () => {
    const variables = [
      tf.variable(tf.ones([2])),
      tf.variable(tf.ones([2]), true, `bad-on-${backend}`),
    ];
    const optimiser = new Adam(variables, { learningRate: RATE, clipNorm: 1 });
    expect(() => step(optimiser, variables, [1, 1, Number.NaN, 1])).toThrow(
      `NaN at optimiser step 1, first in variable bad-on-${backend}`,
    );
    expect(values(variables)).toEqual([1, 1, 1, 1]);
    expect(() => optimiser.apply({})).toThrow('no gradient for variable');
    tf.dispose(variables);
  });

  test.each([
    ['learningRate', Number.POSITIVE_INFINITY],
    ['learningRate', 0],
    ['epsilon', Number.POSITIVE_INFINITY],
    ['epsilon', Number.NaN],
    ['clipNorm', 0],
    ['beta1', Number.NaN],
    ['beta1', 1],
    ['beta2', 2],
    ['beta2', -0.1],
  ] as const)('refuses a %s of %d', (name, value) => {
    const options = { learningRate: RATE, [name]: value };
    for (const Optimiser of [Adam, Nadam]) {
      expect(() => new Optimiser([], options)).toThrow(
        expect.objectContaining({
          code: 'config-invalid',
          message: expect.stringContaining(`optimiser: ${name} is ${value}; expected `),
        }),
      );
      new Optimiser([], { learningRate: RATE, clipNorm: Number.POSITIVE_INFINITY, beta1: 0 });
    }
  });

  test('steps and disposal leave no tensor behind', () => {
    const before = tf.memory().numTensors;
    const variable = tf.tidy(() => tf.variable(tf.ones([5])));
    const optimiser = new Nadam([variable], { learningRate: RATE, clipNorm: 1 });
    step(optimiser, [variable], [1, 2, 3, 4, 5]);
    const during = tf.memory();
    step(optimiser, [variable], [1, 2, 3, 4, 5]);
    expect(tf.memory()).toMatchObject({ numTensors: during.numTensors, numBytes: during.numBytes });
    optimiser.dispose();
    variable.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });
});

function step(optimiser: Adam | Nadam, variables: readonly tf.Variable[], gradient: number[]) {
  return tf.tidy(() => {
    let used = 0;
    const named = variables.map((variable) => {
      const part = gradient.slice(used, used + variable.size);
      used += variable.size;
      return [variable.name, tf.tensor(part, variable.shape)] as const;
    });
    const { norm } = optimiser.apply(Object.fromEntries(named));
    return { norm };
  });
}

function values(variables: readonly tf.Variable[]): number[] {
  return variables.flatMap((variable) => [...variable.dataSync()]);
}

function at(array: readonly number[], index: number): number {
  return array[index] as number;
}
