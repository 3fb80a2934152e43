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
  const { embeddingDimension: E, dimension: d } = view.config;
  return viewOf(
    { embed: view.embed.bind(view), mean: view.mean.bind(view), config: view.config },
    { input: () => tf.zeros([E]), output: () => tf.fill([d], NEARLY_NONE_OF_UNIT) },
  );
}

/** The word vectors themselves: where an identity attack fails on these, it is broken. */
export function rawEmbeddings(view: View): View {
  const { embeddingDimension: E } = view.config;
  return viewOf(
    {
      embed: view.embed.bind(view),
      mean: (x) => x.clone(),
      config: { embeddingDimension: E, dimension: E },
    },
    { input: () => tf.zeros([E]), output: () => tf.fill([E], NEARLY_NONE) },
  );
}

/** Noise without a signal: an attacker has labels, casing and length alone. */
export function pureNoise(view: View): View {
  const { embeddingDimension: E, dimension: d } = view.config;
  return viewOf(
    {
      embed: view.embed.bind(view),
      mean: (x) => tf.zeros([x.shape[0], x.shape[1], d]),
      config: view.config,
    },
    { input: () => tf.zeros([E]), output: () => tf.ones([d]) },
  );
}

/** A view from f and its noise, drawn as the representation draws it. */
export function viewOf(
  { embed, mean, config }: Pick<View, 'embed' | 'mean' | 'config'>,
  stddev: { readonly input: () => tf.Tensor1D; readonly output: () => tf.Tensor1D },
): View {
  return {
    config,
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
