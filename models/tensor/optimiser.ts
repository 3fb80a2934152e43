import { TacetError } from '../../proto/errors.js';
import { copyOf } from './consume.js';
import { momentUpdate, squaredNorm } from './moment-update.js';
import type { MomentUpdate } from './reference/moment-update.js';
import { checkFloats, checkShapes, shapeText } from './shape-check.js';
import * as tf from './tf.js';

export interface OptimiserOptions {
  readonly learningRate: number;
  /** Steps 1 to so many take that share of the learning rate which they have of them; 0 by default. */
  readonly warmupSteps?: number;
  /** Gradients are scaled down together so that their global L2 norm is at most this. */
  readonly clipNorm?: number;
  /** Decay of the first moment, from 0 on and under 1. */
  readonly beta1?: number;
  /** Decay of the second moment, from 0 on and under 1. */
  readonly beta2?: number;
  readonly epsilon?: number;
}

/** The moments of one variable, of its shape. */
interface Slot {
  readonly variable: tf.Variable;
  readonly first: tf.Variable;
  readonly second: tf.Variable;
}

/** How the gradient and the corrected moments make the step `t`, t = 1, 2, ... */
type StepWeights = Pick<MomentUpdate, 'gradientWeight' | 'firstWeight' | 'secondWeight'>;

/**
 * What Adam and Nadam share: exponential averages m of the gradient and v of its square, and
 * `p -= learningRate * (a g + b m) / (sqrt(c v) + epsilon)` with a, b and c of the step.
 */
abstract class MomentOptimiser {
  protected readonly beta1: number;
  protected readonly beta2: number;
  private readonly slots: readonly Slot[];
  private readonly learningRate: number;
  private readonly warmupSteps: number;
  private readonly clipNorm: number;
  private readonly epsilon: number;
  private step = 0;

  /** Throws `config-invalid` for an option out of its range. */
  constructor(variables: readonly tf.Variable[], options: OptimiserOptions) {
    this.learningRate = finite('learningRate', options.learningRate);
    this.warmupSteps = options.warmupSteps ?? 0;
    this.clipNorm = positive('clipNorm', options.clipNorm ?? Number.POSITIVE_INFINITY);
    this.epsilon = finite('epsilon', options.epsilon ?? 1e-7);
    this.beta1 = decay('beta1', options.beta1 ?? 0.9);
    this.beta2 = decay('beta2', options.beta2 ?? 0.999);
    this.slots = tf.tidy(() =>
      variables.map((variable) => ({
        variable,
        first: tf.variable(tf.zeros(variable.shape), false),
        second: tf.variable(tf.zeros(variable.shape), false),
      })),
    );
  }

  /** a, b and c of step `t`. */
  protected abstract weightsAt(t: number): StepWeights;

  /**
   * Takes one step along `gradients`, which hold one tensor for each variable under its name and
   * stay the caller's. Returns their global L2 norm before clipping. Throws `training-diverged`,
   * with all variables as they were, where that is not finite.
   */
  apply(gradients: Readonly<Record<string, tf.Tensor>>): { norm: number } {
    const found = this.slots.map((slot) => gradientOf(slot.variable, gradients));
    const norm = Math.sqrt(squaredNorm(found));
    if (!Number.isFinite(norm)) throw diverged(this.step + 1, norm, this.slots, found);
    this.step++;
    const update: MomentUpdate = {
      ...this.weightsAt(this.step),
      learningRate: this.learningRate * Math.min(1, this.step / Math.max(1, this.warmupSteps)),
      beta1: this.beta1,
      beta2: this.beta2,
      epsilon: this.epsilon,
      gradientScale: norm > this.clipNorm ? this.clipNorm / norm : 1,
    };
    this.slots.forEach((slot, i) => {
      momentUpdate([slot.variable, slot.first, slot.second], found[i] as tf.Tensor, update);
    });
    return { norm };
  }

  /** Everything that a checkpoint needs: the step, and both moments of each variable by its name. */
  state(): Record<string, Float32Array> {
    const state: Record<string, Float32Array> = { step: Float32Array.of(this.step) };
    for (const { variable, first, second } of this.slots) {
      state[`${variable.name}/m`] = copyOf(first);
      state[`${variable.name}/v`] = copyOf(second);
    }
    return state;
  }

  /** Continues from what `state` returned; throws `checkpoint-invalid` where that does not fit. */
  restore(state: Readonly<Record<string, Float32Array>>): void {
    const step = stored(state, 'step', 1)[0] as number;
    const moments = this.slots.map(({ variable }) => ({
      first: stored(state, `${variable.name}/m`, variable.size),
      second: stored(state, `${variable.name}/v`, variable.size),
    }));
    this.step = step;
    this.slots.forEach(({ variable, first, second }, i) => {
      assign(first, moments[i]?.first as Float32Array, variable.shape);
      assign(second, moments[i]?.second as Float32Array, variable.shape);
    });
  }

  /** Frees the moments. */
  dispose(): void {
    for (const { first, second } of this.slots) tf.dispose([first, second]);
  }
}

/** Adam (Kingma and Ba 2015, algorithm 1). */
export class Adam extends MomentOptimiser {
  protected override weightsAt(t: number): StepWeights {
    return {
      gradientWeight: 0,
      firstWeight: 1 / (1 - this.beta1 ** t),
      secondWeight: 1 / (1 - this.beta2 ** t),
    };
  }
}

/** Dozat's schedule: the momentum of step t is beta1 (1 - 0.5 * 0.96^(0.004 t)). */
const SCHEDULE_BASE = 0.96;
const SCHEDULE_DECAY = 0.004;

/**
 * Nadam (Dozat 2016, "Incorporating Nesterov momentum into Adam", algorithm 2) with the warming
 * momentum schedule that the paper suggests and Keras uses.
 */
export class Nadam extends MomentOptimiser {
  private product = 1;
  private productStep = 0;

  protected override weightsAt(t: number): StepWeights {
    const product = this.productOfMomenta(t);
    const next = this.momentum(t + 1);
    return {
      gradientWeight: (1 - this.momentum(t)) / (1 - product),
      firstWeight: next / (1 - product * next),
      secondWeight: 1 / (1 - this.beta2 ** t),
    };
  }

  private momentum(t: number): number {
    return this.beta1 * (1 - 0.5 * SCHEDULE_BASE ** (SCHEDULE_DECAY * t));
  }

  private productOfMomenta(t: number): number {
    if (t < this.productStep) [this.product, this.productStep] = [1, 0];
    while (this.productStep < t) this.product *= this.momentum(++this.productStep);
    return this.product;
  }
}

function gradientOf(
  variable: tf.Variable,
  gradients: Readonly<Record<string, tf.Tensor>>,
): tf.Tensor {
  const gradient = gradients[variable.name];
  if (!gradient) {
    throw new TacetError('tensor-invalid', `optimiser: no gradient for variable ${variable.name}`);
  }
  checkShapes(
    'optimiser',
    { [variable.name]: variable.shape, gradient: gradient.shape },
    'two equal shapes',
    tf.util.arraysEqual(variable.shape, gradient.shape),
  );
  checkFloats('optimiser', { [variable.name]: variable, gradient });
  return gradient;
}

function diverged(
  step: number,
  norm: number,
  slots: readonly Slot[],
  gradients: readonly tf.Tensor[],
): TacetError {
  const first = gradients.findIndex((gradient) => !Number.isFinite(squaredNorm([gradient])));
  const { name, shape } = (slots[Math.max(first, 0)] as Slot).variable;
  return new TacetError(
    'training-diverged',
    `the gradient norm is ${norm} at optimiser step ${step}, first in variable ${name} ${shapeText(shape)}; ` +
      'no variable was changed; lower the learning rate or check the data',
  );
}

function stored(
  state: Readonly<Record<string, Float32Array>>,
  name: string,
  size: number,
): Float32Array {
  const array = state[name];
  if (array?.length === size) return array;
  throw new TacetError(
    'checkpoint-invalid',
    `optimiser state ${name} has ${array?.length ?? 'no'} values; expected ${size}`,
  );
}

function assign(variable: tf.Variable, values: Float32Array, shape: readonly number[]): void {
  const tensor = tf.tensor(values.slice(), [...shape]);
  variable.assign(tensor);
  tensor.dispose();
}

function positive(name: string, value: number): number {
  return value > 0 ? value : refused(name, value, 'a number over 0');
}

function finite(name: string, value: number): number {
  return value > 0 && value < Number.POSITIVE_INFINITY
    ? value
    : refused(name, value, 'a finite number over 0');
}

function decay(name: string, value: number): number {
  return value >= 0 && value < 1 ? value : refused(name, value, 'at least 0, under 1');
}

function refused(name: string, value: number, expected: string): never {
  throw new TacetError('config-invalid', `optimiser: ${name} is ${value}; expected ${expected}`);
}
