/**
 * What a network may have at most, to be trained and to be published: far over what any here was trained with.
 * `drawWeights` bounds what they come to together.
 */
export const NETWORK_MAXIMA = {
  /** Of any layer's inputs and outputs, units, labels and distances. */
  size: 4096,
  layers: 16,
  heads: 256,
  feedForward: 65_536,
} as const;
