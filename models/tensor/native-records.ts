import type { StreamPosition } from './philox.js';
import type { MomentUpdate } from './reference/moment-update.js';

/** x [outer, middle, inner], result [outer, inner]. */
export interface Reduction {
  readonly x: Float32Array;
  readonly result: Float32Array;
  readonly outer: number;
  readonly middle: number;
  readonly inner: number;
}

/** x [N, width], labels [N]; losses and the logarithms of the rows' sums of e^x, [N]. */
export interface SoftmaxLoss {
  readonly x: Float32Array;
  readonly labels: Int32Array;
  readonly width: number;
  readonly losses: Float32Array;
  readonly logSums: Float32Array;
}

/** As before, with dy [N] and dx [N, width]. */
export interface SoftmaxLossGradient extends Omit<SoftmaxLoss, 'losses'> {
  readonly dy: Float32Array;
  readonly dx: Float32Array;
}

/** Rows of `width`; `least` is the least squared norm that is divided by. */
export interface L2Normalise {
  readonly x: Float32Array;
  readonly result: Float32Array;
  readonly width: number;
  readonly least: number;
}

export interface L2NormaliseGradient extends Omit<L2Normalise, 'result'> {
  readonly dy: Float32Array;
  readonly dx: Float32Array;
}

/** Rows of the width of `gain` and `bias`; `least` is added to a variance. Means and 1 / standard deviations, [N]. */
export interface LayerNorm {
  readonly x: Float32Array;
  readonly gain: Float32Array;
  readonly bias: Float32Array;
  readonly least: number;
  readonly result: Float32Array;
  readonly means: Float32Array;
  readonly scales: Float32Array;
}

/** As before, with dy and dx of x's shape, and the gradients of gain and bias. */
export interface LayerNormGradient extends Omit<LayerNorm, 'bias' | 'least' | 'result'> {
  readonly dy: Float32Array;
  readonly dx: Float32Array;
  readonly dGain: Float32Array;
  readonly dBias: Float32Array;
}

/**
 * queries, keys and values [B, steps, width], lengths [B]; distances [heads, 2 reach + 1], added to a score
 * by how far to the right the key is.
 */
export interface AttentionHeads {
  readonly queries: Float32Array;
  readonly keys: Float32Array;
  readonly values: Float32Array;
  readonly distances: Float32Array;
  readonly lengths: Int32Array;
  readonly steps: number;
  readonly width: number;
  readonly heads: number;
  readonly reach: number;
}

/** result of the queries' shape; the logarithms of the sums of each row's exponentials, [B, heads, steps]. */
export interface Attention extends AttentionHeads {
  readonly result: Float32Array;
  readonly logSums: Float32Array;
}

/** Gradients of the shapes of what they are of. */
export interface AttentionGradient extends AttentionHeads {
  readonly logSums: Float32Array;
  readonly dy: Float32Array;
  readonly dQueries: Float32Array;
  readonly dKeys: Float32Array;
  readonly dValues: Float32Array;
  readonly dDistances: Float32Array;
}

/** The elements where the boxes start, and the layout of `packLayout` over both. */
export interface StridedCopy {
  readonly from: Float32Array;
  readonly fromStart: number;
  readonly to: Float32Array;
  readonly toStart: number;
  readonly layout: Int32Array;
}

/** x [outer, count, inner], indices [n], result [outer, n, inner]. */
export interface Gather {
  readonly x: Float32Array;
  readonly indices: Int32Array;
  readonly result: Float32Array;
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
}

/** x [n, inner], segments [n]; result [count, inner], each the sum of its segment's rows. */
export interface SegmentSum {
  readonly x: Float32Array;
  readonly segments: Int32Array;
  readonly result: Float32Array;
  readonly count: number;
  readonly inner: number;
}

/**
 * fixed [f, width], further [u, width], trained [t, width], rows [n], result [n, width]: a row from 0 on is one of
 * the fixed, from f on of the further, -1 is zeros, and -2 - k is row k of the trained.
 */
export interface EmbeddingRows {
  readonly fixed: Float32Array;
  readonly further: Float32Array;
  readonly trained: Float32Array;
  readonly rows: Int32Array;
  readonly result: Float32Array;
  readonly width: number;
}

/** codes [U, steps] of words, 0 from the end of each on; places [U, filters], where a window gave the most, -1 nowhere. */
interface CharacterWindows {
  readonly codes: Int32Array;
  readonly steps: number;
  readonly width: number;
  readonly filters: number;
  readonly places: Int32Array;
}

/** tables [A, width, filters], result [U, filters] */
export interface CharacterMaximum extends CharacterWindows {
  readonly tables: Float32Array;
  readonly result: Float32Array;
}

/** dy [U, filters], result [A, width, filters] */
export interface CharacterMaximumGradient extends CharacterWindows {
  readonly dy: Float32Array;
  readonly result: Float32Array;
}

/**
 * result [batch, m, n] = activation(a b + bias), a [m, k], b [k, n], bias [n]; an operand may be stored
 * transposed, and has the batch before its shape or is the same for all of it.
 */
export interface MatMul {
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly bias?: Float32Array | undefined;
  readonly result: Float32Array;
  readonly batch: number;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  readonly transposeA: boolean;
  readonly transposeB: boolean;
  readonly aBatched: boolean;
  readonly bBatched: boolean;
  readonly activation: Activation;
}

/** What a product applies itself. */
export const ACTIVATIONS = ['linear', 'relu', 'sigmoid'] as const;
export type Activation = (typeof ACTIVATIONS)[number];

/** A parameter, its first and second moment and its gradient, and where the new ones go, which may be there. */
export interface MomentStep {
  readonly parameter: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
  readonly gradient: Float32Array;
  readonly newParameter: Float32Array;
  readonly newFirst: Float32Array;
  readonly newSecond: Float32Array;
  readonly update: MomentUpdate;
}

/** A direction of an LSTM: kernel [I, 4H], recurrent [H, 4H], bias [4H], mask [B, H]; the gates are i, f, g, o. */
export interface LstmDirection {
  /** Whether it runs from a sequence's end to its beginning. */
  readonly reverse: boolean;
  readonly kernel: Float32Array;
  readonly recurrent: Float32Array;
  readonly bias: Float32Array;
  /** What h is multiplied by before each step. */
  readonly mask?: Float32Array | undefined;
  /**
   * For the forward pass, memory of `lstmPackedSize` for the weights as its products read them: zeros, or what
   * a pass with these weights left there.
   */
  readonly packed?: Float32Array | undefined;
}

/** One direction or two over sequences of lengths [B], which are at most `steps`. */
export interface Lstm {
  readonly lengths: Int32Array;
  readonly steps: number;
  readonly inputs: number;
  readonly units: number;
  readonly directions: readonly LstmDirection[];
}

/** x [B, T, I], or codes [B, T] from 0 to I - 1: where each row of x has its one and else zeros. */
export type LstmInput = { readonly x: Float32Array } | { readonly codes: Int32Array };

/** y [B, T, D H]. With codes, products are never of bfloat16. */
export interface LstmForward extends Lstm {
  readonly y: Float32Array;
  /** Memory of `lstmStateSize` for what the backward pass needs; without it none can follow. */
  readonly state?: Float32Array | undefined;
  /** Whether products are of bfloat16, which no backward pass follows. */
  readonly bfloat16: boolean;
}

/** dy [B, T, D H]. The state turns from gates into gradients. */
export interface LstmBackward extends Lstm {
  readonly dy: Float32Array;
  readonly state: Float32Array;
}

/** dx [B, T, I]. The state is one after the backward pass. */
export interface LstmInputGradient extends Lstm {
  readonly dx: Float32Array;
  readonly state: Float32Array;
}

/** The gradient of a weight of the direction of that index, in the weight's shape. */
export interface LstmWeightGradient extends Lstm {
  readonly direction: number;
  readonly gradient: Float32Array;
  readonly state: Float32Array;
}

/** emissions [B, T, L], transitions [L, L], start and end [L], lengths [B]. */
export interface Crf {
  readonly emissions: Float32Array;
  readonly transitions: Float32Array;
  readonly start: Float32Array;
  readonly end: Float32Array;
  readonly lengths: Int32Array;
  readonly steps: number;
  readonly labels: number;
}

/** truth [B, T], what the labels are. */
export interface LabelledCrf extends Crf {
  readonly truth: Int32Array;
}

/** dy [B]; the gradients have the shapes of what they are of. */
export interface CrfGradient extends LabelledCrf {
  readonly dy: Float32Array;
  readonly gradients: Pick<Crf, 'emissions' | 'transitions' | 'start' | 'end'>;
}

/** x and result [N, D], stddev [D]. The position is that of a block. */
export interface GaussianNoise {
  readonly x: Float32Array;
  readonly stddev: Float32Array;
  readonly result: Float32Array;
  /** NORMAL_TABLE. */
  readonly table: Float32Array;
  readonly position: StreamPosition;
}

/** dy [N, D], result [D]. */
export interface GaussianNoiseGradient extends Omit<GaussianNoise, 'x' | 'stddev'> {
  readonly dy: Float32Array;
}

/** An element whose word is under the threshold is dropped, another is multiplied by `scale`. */
export interface Dropout {
  readonly x: Float32Array;
  readonly result: Float32Array;
  readonly threshold: number;
  readonly scale: number;
  readonly position: StreamPosition;
}

/**
 * vectors [b, steps, d] to float16, little endian, in elements [ΣT, d], where `starts` [B + 1] says that each of the
 * sentences [b] begins and ends.
 */
export interface Float16Sentences {
  readonly sentences: Uint32Array;
  readonly starts: Uint32Array;
  readonly steps: number;
  readonly dimension: number;
  readonly vectors: Float32Array;
  readonly elements: Uint8Array;
}

/**
 * result = x + stddev n: x and result [N], stddev [D]. The normals of each 1024 elements are those that `boxMuller`
 * makes of the words that `chachaWords` draws under `key` [8] for them, 1536 after those of the ones before.
 */
export interface SecureNoise {
  readonly key: Uint32Array;
  readonly x: Float32Array;
  readonly stddev: Float32Array;
  readonly result: Float32Array;
}
