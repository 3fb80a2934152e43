import * as tf from './tf.js';

/**
 * The gradient reversal layer of Ganin and Lempitsky 2015 (section 3): the identity forward, −λ
 * times the gradient backward. What learns below it learns to make the loss above it greater.
 */
export function reverseGradient<T extends tf.Tensor>(x: T, lambda: number): T {
  const op = tf.customGrad((input) => ({
    value: (input as tf.Tensor).clone(),
    gradFunc: (dy: tf.Tensor) => dy.mul(-lambda),
  }));
  return op(x) as T;
}

/**
 * How far a schedule has come that rises from 0 to 1 while `progress` does: 2 / (1 + e^(−γp)) − 1
 * (Ganin and Lempitsky 2015, section 4, where γ is 10).
 */
export function ramp(progress: number, gamma: number): number {
  return 2 / (1 + Math.exp(-gamma * progress)) - 1;
}
