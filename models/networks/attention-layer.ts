import { attention } from '../tensor/attention.js';
import { dropout } from '../tensor/dropout.js';
import { layerNorm } from '../tensor/layer-norm.js';
import type { Random } from '../tensor/random.js';
import type * as tf from '../tensor/tf.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import type { InitialWeight, InitialWeights } from './initial-weights.js';
import { filled, zeros } from './initialisers.js';
import type { Parameters } from './parameters.js';

export interface AttentionSizes {
  /** W, numbers a token between layers, a multiple of `heads`. */
  readonly width: number;
  readonly heads: number;
  /** R: distances beyond it count as it. */
  readonly reach: number;
  /** F, units between the two dense layers. */
  readonly feedForward: number;
}

export interface SublayerDropout {
  readonly rate: number;
  readonly random: Random;
}

/** A sublayer's place in a network: its weights, and the dropout on what it adds while training. */
export interface Sublayer {
  readonly parameters: Parameters;
  readonly name: string;
  readonly dropout?: SublayerDropout | undefined;
}

/** Gain and bias of a layer normalisation under `name/`. */
export function normWeights(name: string, width: number): InitialWeights {
  return { [`${name}/gain`]: filled(1, width), [`${name}/bias`]: zeros(width) };
}

export function normLayer<T extends tf.Tensor>(parameters: Parameters, name: string, x: T): T {
  return layerNorm(x, parameters.vector(`${name}/gain`), parameters.vector(`${name}/bias`));
}

/**
 * The weights of multi-head attention under `name/`. The first half of its heads begin by looking at the
 * words at `offsets`, in turn; the others begin without a preference.
 */
export function attentionWeights(
  name: string,
  { width: W, heads, reach }: AttentionSizes,
  offsets: readonly number[],
): InitialWeights {
  return {
    ...normWeights(`${name}/norm`, W),
    ...denseWeights(`${name}/queries`, W, W),
    ...denseWeights(`${name}/keys`, W, W),
    ...denseWeights(`${name}/values`, W, W),
    [`${name}/distances`]: aroundOffsets(heads, reach, offsets),
    ...denseWeights(`${name}/output`, W, W),
  };
}

/** x [B, T, W] plus what its tokens find in `memory` [B, T, W], or in themselves where there is none. */
export function attentionSublayer(
  { parameters, name, dropout: dropped }: Sublayer,
  x: tf.Tensor3D,
  lengths: Int32Array,
  memory?: tf.Tensor3D,
): tf.Tensor3D {
  const normal = normLayer(parameters, `${name}/norm`, x);
  const seen = memory ?? normal;
  const heads = {
    queries: denseLayer(parameters, `${name}/queries`, normal),
    keys: denseLayer(parameters, `${name}/keys`, seen),
    values: denseLayer(parameters, `${name}/values`, seen),
    distances: parameters.matrix(`${name}/distances`),
  };
  const found = denseLayer(parameters, `${name}/output`, attention(heads, lengths));
  return x.add(thinned(found, dropped));
}

export function feedForwardWeights(
  name: string,
  { width: W, feedForward: F }: AttentionSizes,
): InitialWeights {
  return {
    ...normWeights(`${name}/norm`, W),
    ...denseWeights(`${name}/inner`, W, F),
    ...denseWeights(`${name}/outer`, F, W),
  };
}

/** x [B, T, W] plus two dense layers of each token by itself (Vaswani et al. 2017, section 3.3). */
export function feedForwardSublayer(
  { parameters, name, dropout: dropped }: Sublayer,
  x: tf.Tensor3D,
): tf.Tensor3D {
  const normal = normLayer(parameters, `${name}/norm`, x);
  const inner = denseLayer(parameters, `${name}/inner`, normal, 'relu'); // [B, T, F]
  return x.add(thinned(denseLayer(parameters, `${name}/outer`, inner), dropped));
}

function thinned(x: tf.Tensor3D, dropped: SublayerDropout | undefined): tf.Tensor3D {
  return dropped ? dropout(x, dropped.rate, dropped.random) : x;
}

/** [heads, 2 reach + 1]: of head i of the first half −|d − offset i|, of the others zeros. */
function aroundOffsets(heads: number, reach: number, offsets: readonly number[]): InitialWeight {
  const places = 2 * reach + 1;
  const value = (head: number, distance: number) =>
    head < heads / 2 ? -Math.abs(distance - (offsets[head % offsets.length] as number)) : 0;
  return {
    shape: [heads, places],
    draw: () =>
      Float32Array.from({ length: heads * places }, (_, i) =>
        value(Math.floor(i / places), (i % places) - reach),
      ),
  };
}
