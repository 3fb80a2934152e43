import type { View } from '../networks/view.js';
import { addGaussianNoise } from '../tensor/gaussian-noise.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';

/** Not zero, so that likelihoods and distances stay defined, but too little to hide a word vector. */
const NEARLY_NONE = 1e-3;

/**
 * The vectors of a representation have length one, and a changed word may move them by as little as
 * 1e-3. This is far less than that, and far more than the rounding errors of a network in float32.
 */
const NEARLY_NONE_OF_UNIT = 1e-5;

/** The same function with its noise off: what an attacker could do at most. */
export function noiseOff(view: View): View {
  const { inputDimension: I, config } = view;
  const { dimension: d } = config;
  return viewOf(
    { inputDimension: I, embed: view.embed.bind(view), mean: view.mean.bind(view), config },
    { input: () => tf.zeros([I]), output: () => tf.fill([d], NEARLY_NONE_OF_UNIT) },
  );
}

/** What f sees itself: where an identity attack fails on these, it is broken. */
export function rawEmbeddings(view: View): View {
  const { inputDimension: I } = view;
  return viewOf(
    {
      inputDimension: I,
      embed: view.embed.bind(view),
      mean: (x) => x.clone(),
      config: { dimension: I },
    },
    { input: () => tf.zeros([I]), output: () => tf.fill([I], NEARLY_NONE) },
  );
}

/** Noise without a signal: an attacker has labels and length alone. */
export function pureNoise(view: View): View {
  const { inputDimension: I, config } = view;
  const { dimension: d } = config;
  return viewOf(
    {
      inputDimension: I,
      embed: view.embed.bind(view),
      mean: (x) => tf.zeros([x.shape[0], x.shape[1], d]),
      config,
    },
    { input: () => tf.zeros([I]), output: () => tf.ones([d]) },
  );
}

/** A view from f and its noise, drawn as the representation draws it. */
export function viewOf(
  {
    inputDimension,
    embed,
    mean,
    config,
  }: Pick<View, 'inputDimension' | 'embed' | 'mean' | 'config'>,
  stddev: { readonly input: () => tf.Tensor1D; readonly output: () => tf.Tensor1D },
): View {
  return {
    config,
    inputDimension,
    embed,
    mean,
    inputStddev: stddev.input,
    outputStddev: stddev.output,
    forward: (x: tf.Tensor3D, lengths: Int32Array, random: Random) => {
      const noisy = addGaussianNoise(x, stddev.input(), random);
      return addGaussianNoise(mean(noisy, lengths), stddev.output(), random);
    },
  };
}
