import type { ArithmeticOp, ComparisonOp, UnaryOp } from './elementwise-ops.js';
import type * as records from './native-records.js';
import type { StreamPosition } from './philox.js';
import type { NearestPoints } from './reference/nearest-points.js';

/**
 * The functions of the native addon by name: the one contract between `native/` and its callers. Arrays are
 * dense, row by row, of the shapes in brackets, and are read and written in place. A function throws where
 * an argument or a field is missing, or of another type or length, and says which.
 *
 * A function takes one record. Positions are for elementwise functions, which have the least to do in a call,
 * and for those of at most three arguments: native code reads a field in about 0.1 µs, an argument in a third
 * of that.
 */
export interface NativeFunctions
  extends Record<UnaryOp, Unary>,
    Record<ArithmeticOp, Binary<Float32Array>>,
    Record<ComparisonOp, Binary<Uint8Array>> {
  /** 1 where x is positive, else c. */
  Step(x: Float32Array, result: Float32Array, c: number): void;
  /** x, but not under c nor over d. */
  ClipByValue(x: Float32Array, result: Float32Array, c: number, d: number): void;
  vectorExp: Unary;
  vectorTanh: Unary;
  vectorSigmoid: Unary;
  select(condition: Uint8Array, a: Float32Array, b: Float32Array, result: Float32Array): void;
  /** Truth values as 0 and 1. */
  boolToFloat(x: Uint8Array, result: Float32Array): void;
  float16Sentences(call: records.Float16Sentences): void;
  /**
   * Of float16 in `bytes`, from byte places[2 i] to places[2 i + 1], the sum of the squares, as doubles [n] in the bytes
   * [8 n] of `sums`; infinite or NaN where an element is.
   */
  float16Squares(bytes: Uint8Array, places: Int32Array, sums: Uint8Array): void;
  /** CRC-32 (ISO 3309), fast where `hasCarrylessProducts` says so. */
  crc32(bytes: Uint8Array): number;
  /** Whether this processor multiplies polynomials over two elements (PCLMULQDQ). */
  hasCarrylessProducts(): boolean;
  /** Whether x holds neither NaN nor an infinity. */
  allFinite(x: Float32Array): boolean;
  /** The sum of the squares, in double precision. */
  squaredNorm(x: Float32Array): number;

  sum(call: records.Reduction & { readonly scale: number }): void;
  /** The greatest elements where `sign` is 1, the least where it is -1. */
  extreme(call: records.Reduction & { readonly sign: 1 | -1 }): void;
  /** Of rows of `width`. */
  softmax(x: Float32Array, result: Float32Array, width: number): void;
  softmaxLoss(call: records.SoftmaxLoss): void;
  softmaxLossGradient(call: records.SoftmaxLossGradient): void;
  l2Normalise(call: records.L2Normalise): void;
  l2NormaliseGradient(call: records.L2NormaliseGradient): void;
  layerNorm(call: records.LayerNorm): void;
  layerNormGradient(call: records.LayerNormGradient): void;
  attention(call: records.Attention): void;
  attentionGradient(call: records.AttentionGradient): void;

  nearestPoints(call: NearestPoints): void;

  stridedCopy(call: records.StridedCopy): void;
  gather(call: records.Gather): void;
  segmentSum(call: records.SegmentSum): void;
  embeddingRows(call: records.EmbeddingRows): void;
  characterMaximum(call: records.CharacterMaximum): void;
  characterMaximumGradient(call: records.CharacterMaximumGradient): void;
  matMul(call: records.MatMul): void;
  momentUpdate(call: records.MomentStep): void;

  /** Floats of memory for the state of a batch of those lengths. */
  lstmStateSize(lengths: Int32Array, units: number, directions: number): number;
  /** Floats of memory for the packed weights of one direction. */
  lstmPackedSize(inputs: number, units: number, bfloat16: boolean): number;
  lstmForward(call: records.LstmForward & records.LstmInput): void;
  lstmBackward(call: records.LstmBackward): void;
  lstmInputGradient(call: records.LstmInputGradient): void;
  lstmKernelGradient(call: records.LstmWeightGradient & records.LstmInput): void;
  lstmRecurrentGradient(call: records.LstmWeightGradient): void;
  lstmBiasGradient(call: records.LstmWeightGradient): void;

  crfLoss(call: records.LabelledCrf & { readonly losses: Float32Array }): void;
  crfGradient(call: records.CrfGradient): void;
  crfDecode(call: records.Crf & { readonly paths: Int32Array }): void;
  crfPosteriors(call: records.Crf & { readonly posteriors: Float32Array }): void;

  gaussianNoise(call: records.GaussianNoise): void;
  gaussianNoiseGradient(call: records.GaussianNoiseGradient): void;
  dropout(call: records.Dropout): void;
  noiseWords(record: { position: StreamPosition; words: Uint32Array }): void;
  /** Normals [n] of words [3, n / 2]; n is even. */
  boxMuller(words: Uint32Array, normals: Float32Array): void;
  /** Whether the result holds neither NaN nor an infinity. */
  secureNoise(call: records.SecureNoise): boolean;
  /**
   * Of ChaCha20 under a key [8] and a nonce of zeros, the words of blocks 16 first, 16 first + 1, ... Those
   * of sixteen blocks lie together, the first of each, then the second of each; the last ones that have no
   * room are left out.
   */
  philoxWords(record: { position: StreamPosition; words: Uint32Array }): void;
  chachaWords(key: Uint32Array, first: number, words: Uint32Array): void;

  isa(): InstructionSet;
  /** Returns the one that was in use before. */
  useIsa(name: InstructionSet): InstructionSet;
  hasBfloat16(): boolean;
  threadCount(): number;
  /** Returns the number before. */
  setThreadCount(count: number): number;
  /** The most that a loop of the calling thread takes from here on, itself included. */
  limitThreads(threads: number): void;
  /** The calling thread gives way to others by so much more than before, from 0 to 19. */
  giveWay(by: number): void;

  /** Returns the floating-point operations done, by all threads together. */
  peakMultiplyAdds(rounds: number): number;
  /** So many additions on the calling thread, of which each waits for the last. */
  dependentAdditions(count: number): number;
  /** a = b + c / 2: the reads and writes that bandwidth is measured by. */
  streamTriad(a: Float32Array, b: Float32Array, c: Float32Array): void;
}

export type InstructionSet = 'avx512' | 'avx2' | 'portable';

type Unary = (x: Float32Array, result: Float32Array) => void;

/** The layout is one of `packLayout`, over a and b; its last steps are 0 or 1. */
export type Binary<Result> = (
  a: Float32Array,
  b: Float32Array,
  result: Result,
  layout: Int32Array,
) => void;
