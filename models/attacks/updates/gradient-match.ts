import { flatWeights, loadFlat } from '../../federation/flat-weights.js';
import type { LocalConfig } from '../../federation/local-training.js';
import type { WeightUpdate } from '../../federation/weight-update.js';
import type { LabelledText, TextNetwork } from '../../networks/text-network.js';
import { scoped } from '../../tensor/scoped.js';
import * as tf from '../../tensor/tf.js';
import { textGradient } from './text-gradient.js';

/** How far weights are moved along a direction to differentiate by it, as in Liu et al. 2019 (DARTS), section 2.3. */
const REACH = 0.01;

/**
 * How unlike what texts would do to the weights is to what an update did: D = 1 − cos(g, g*), with g the gradient at
 * the weights that the network has and g* the update turned round, over the weights that were sent. The scale of
 * a step, which an attacker may not know, is not in it (Geiping et al. 2020).
 */
export class GradientMatch {
  readonly #weights: Float32Array;
  /** [N], of length 1, zero where nothing was sent. */
  readonly #target: Float32Array;
  readonly #sent: Uint8Array;

  constructor(
    private readonly network: TextNetwork,
    { places, values }: WeightUpdate,
    private readonly loss: LocalConfig['loss'],
  ) {
    this.#weights = flatWeights(network.parameters);
    const size = this.#weights.length;
    this.#target = new Float32Array(size);
    this.#sent = new Uint8Array(size);
    const length = lengthOf(values);
    values.forEach((value, i) => {
      const place = places ? (places[i] as number) : i;
      this.#sent[place] = 1;
      this.#target[place] = length > 0 ? -value / length : 0;
    });
  }

  /** g of one text [N], with vectors [tokens · E] in the place of its words' own; g of several is their sum. */
  gradient(text: LabelledText, vectors: Float32Array): Float32Array {
    const gradient = scoped(() => textGradient(this.network, text, asMatrix(text, vectors)));
    const scale = this.#scale(text);
    for (let place = 0; place < gradient.length; place++)
      (gradient[place] as number) *= this.#sent[place] ? scale : 0;
    return gradient;
  }

  /** Of the gradients of several texts, [N] each. */
  sum(gradients: readonly Float32Array[]): Float32Array {
    const sum = new Float32Array(this.#weights.length);
    for (const gradient of gradients)
      for (let place = 0; place < sum.length; place++)
        (sum[place] as number) += gradient[place] as number;
    return sum;
  }

  /** D of a gradient [N], 0 to 2. */
  distance(gradient: Float32Array): number {
    const { along, length } = this.#products(gradient);
    return length > 0 ? 1 - along / length : 1;
  }

  /** ∂D/∂g, [N]. */
  byGradient(gradient: Float32Array): Float32Array {
    const { along, length } = this.#products(gradient);
    const v = new Float32Array(gradient.length);
    if (length === 0) return v;
    const share = along / length ** 2;
    for (let place = 0; place < v.length; place++)
      v[place] = (share * (gradient[place] as number) - (this.#target[place] as number)) / length;
    return v;
  }

  /**
   * ∂D/∂x [tokens · E] of the vectors x of one text, where ∂D/∂g is v. Since ∂D/∂x = ∂/∂x ⟨∂L/∂θ, v⟩ is the derivative
   * of ∂L/∂x along v in the weights, (∂L/∂x(θ + εv) − ∂L/∂x(θ − εv)) / 2ε needs first derivatives alone. The network
   * is left with its own weights, also by an error.
   */
  byVectors(text: LabelledText, vectors: Float32Array, v: Float32Array): Float32Array {
    const length = lengthOf(v);
    if (length === 0 || vectors.length === 0) return new Float32Array(vectors.length);
    const epsilon = REACH / length;
    try {
      const ahead = this.#inputGradientAt(text, vectors, v, epsilon);
      const behind = this.#inputGradientAt(text, vectors, v, -epsilon);
      return ahead.map((value, i) => (value - (behind[i] as number)) / (2 * epsilon));
    } finally {
      loadFlat(this.network.parameters, this.#weights);
    }
  }

  /** ∂L/∂x at the weights θ + step v, which the network is left with. */
  #inputGradientAt(
    text: LabelledText,
    vectors: Float32Array,
    v: Float32Array,
    step: number,
  ): Float32Array {
    const moved = this.#weights.map((weight, place) => weight + step * (v[place] as number));
    loadFlat(this.network.parameters, moved);
    return this.#inputGradient(text, vectors);
  }

  #inputGradient(text: LabelledText, vectors: Float32Array): Float32Array {
    const read = this.network.read(text);
    const scale = this.#scale(text) / Math.max(read.tokens, 1);
    return tf.tidy(() => {
      const loss = (x: tf.Tensor) => read.loss(undefined, x as tf.Tensor2D).mul<tf.Scalar>(scale);
      return tf.grad(loss)(asMatrix(text, vectors)).dataSync<'float32'>().slice();
    });
  }

  /** Of the mean loss of a text. */
  #scale(text: LabelledText): number {
    return this.loss === 'sum' ? tokensOf(text) : 1;
  }

  /** ⟨g, g*⟩ and the length of g. */
  #products(gradient: Float32Array): { along: number; length: number } {
    let along = 0;
    let squares = 0;
    for (let place = 0; place < gradient.length; place++) {
      const value = gradient[place] as number;
      along += value * (this.#target[place] as number);
      squares += value * value;
    }
    return { along, length: Math.sqrt(squares) };
  }
}

function lengthOf(values: Float32Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] as number) ** 2;
  return Math.sqrt(squares);
}

function tokensOf(text: LabelledText): number {
  return text.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

function asMatrix(text: LabelledText, vectors: Float32Array): tf.Tensor2D {
  const tokens = tokensOf(text);
  return tf.tensor2d(vectors, [tokens, vectors.length / Math.max(tokens, 1)]);
}
