import type { Subwords } from './embeddings.js';

const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** fastText's mark for the end of a line, the one word without n-grams. */
const END_OF_SENTENCE = '</s>';

export interface SubwordParameters {
  /** The shortest and the longest n-gram, in characters. */
  readonly minn: number;
  readonly maxn: number;
  /** How many vectors the n-grams share. */
  readonly bucket: number;
}

export interface SubwordMatrix extends SubwordParameters {
  /** [bucket, E] */
  readonly matrix: Float32Array;
}

/**
 * The buckets of the n-grams of `<word>`, in the order and with the repetitions of fastText
 * (Bojanowski et al. 2017, section 3.2; `Dictionary::computeSubwords`): minn to maxn UTF-8 characters,
 * without the lone marks "<" and ">", each hashed by 32-bit FNV-1a over sign-extended bytes.
 */
export function subwordBuckets(word: string, { minn, maxn, bucket }: SubwordParameters): number[] {
  if (word === END_OF_SENTENCE) return [];
  const bytes = Buffer.from(`<${word}>`);
  const buckets: number[] = [];
  for (let start = 0; start < bytes.length; start++) {
    if (isContinuation(bytes[start])) continue;
    let hash = FNV_OFFSET_BASIS;
    let end = start;
    for (let length = 1; length <= maxn && end < bytes.length; length++) {
      do {
        hash = Math.imul(hash ^ signExtended(bytes[end] as number), FNV_PRIME);
        end++;
      } while (isContinuation(bytes[end]));
      const mark = length === 1 && (start === 0 || end === bytes.length);
      if (length >= minn && !mark) buckets.push((hash >>> 0) % bucket);
    }
  }
  return buckets;
}

/** The mean of the n-gram vectors of a word that has no vector of its own. */
export class FastTextSubwords implements Subwords {
  constructor(
    readonly parameters: SubwordMatrix,
    readonly dimension: number,
  ) {}

  /** [E]; undefined where the word has no n-gram. */
  vector(word: string): Float32Array | undefined {
    const buckets = subwordBuckets(word, this.parameters);
    if (buckets.length === 0) return undefined;
    const sum = new Float32Array(this.dimension);
    this.#add(buckets, sum);
    return scale(sum, 1 / buckets.length);
  }

  /** Turns a word's own vector into the mean of it and its n-gram vectors, in place. */
  compose(word: string, own: Float32Array): void {
    const buckets = subwordBuckets(word, this.parameters);
    this.#add(buckets, own);
    scale(own, 1 / (1 + buckets.length));
  }

  /** Sums in 32-bit floats, as fastText does. */
  #add(buckets: readonly number[], sum: Float32Array): void {
    const { matrix } = this.parameters;
    for (const bucket of buckets) {
      const offset = bucket * this.dimension;
      for (let i = 0; i < sum.length; i++)
        sum[i] = (sum[i] as number) + (matrix[offset + i] as number);
    }
  }
}

function scale(vector: Float32Array, factor: number): Float32Array {
  const rounded = Math.fround(factor);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) * rounded;
  return vector;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function signExtended(byte: number): number {
  return (byte << 24) >> 24;
}
