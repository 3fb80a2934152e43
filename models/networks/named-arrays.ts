/** Weights by name, outside any tensor backend: what bundles, checkpoints and optimisers store. */
export type NamedArrays = Readonly<Record<string, NamedArray>>;

export interface NamedArray {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}
