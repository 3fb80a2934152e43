import * as tf from '../tf.js';

/** One step of Adam or Nadam: the weights of the gradient and the moments, and how they decay. */
export interface MomentUpdate {
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  /** What the gradient is multiplied by before anything else: gradient clipping. */
  readonly gradientScale: number;
  readonly gradientWeight: number;
  readonly firstWeight: number;
  readonly secondWeight: number;
}

/** p, m and v of the formulas. */
export type ParameterAndMoments = readonly [tf.Variable, tf.Variable, tf.Variable];

/**
 * g = gradientScale * gradient; m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
 * p -= learningRate (gradientWeight g + firstWeight m) / (sqrt(secondWeight v) + epsilon). All of
 * one shape.
 */
export function referenceMomentUpdate(
  [parameter, first, second]: ParameterAndMoments,
  gradient: tf.Tensor,
  update: MomentUpdate,
): void {
  tf.tidy(() => {
    const g = gradient.mul(update.gradientScale);
    const m = first.mul(update.beta1).add(g.mul(1 - update.beta1));
    const v = second.mul(update.beta2).add(g.square().mul(1 - update.beta2));
    const direction = g.mul(update.gradientWeight).add(m.mul(update.firstWeight));
    const scale = v.mul(update.secondWeight).sqrt().add(update.epsilon);
    parameter.assign(parameter.sub(direction.div(scale).mul(update.learningRate)));
    first.assign(m);
    second.assign(v);
  });
}

/** The sum of the squares of all elements of all tensors. */
export function referenceSquaredNorm(tensors: readonly tf.Tensor[]): number {
  return tf.tidy(() => {
    const sums = tensors.map((tensor) => tensor.square().sum());
    return sums.length === 0 ? 0 : (tf.addN(sums).dataSync()[0] as number);
  });
}
