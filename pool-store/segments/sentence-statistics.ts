import { sha256Hex } from '../../proto/digest.js';
import { NATURAL } from '../../proto/schemas.js';
import type { CheckedMessage } from '../../proto/segment-parser.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../proto/typed-schema.js';
import { ProbeSample } from './probe-sample.js';

export const NORM_RANGE = closedObject(
  {
    tokens: NATURAL,
    least: Type.Number(),
    most: Type.Number(),
  },
  { title: 'NormRange' },
);

/** Over the sentences of one length in a segment: the least and the most mean ‖r‖². */
export type NormRange = TypeOf<typeof NORM_RANGE>;

/** One sentence in this many is remembered by its vectors. */
const SAMPLE = 16;
export const FINGERPRINT_BYTES = 16;

/**
 * What a segment shows of each of its sentences: the range of their norms, and fingerprints of a
 * sample. The sample is chosen by the vectors themselves, so that a sentence which is given again is
 * in it again. Noise makes equal vectors impossible in honest releases, so an equal fingerprint
 * means a copy.
 */
export class SentenceStatistics {
  readonly #ranges = new Map<number, { least: number; most: number }>();
  readonly #fingerprints: string[] = [];
  readonly #probes = new ProbeSample();
  #squaredNorm = 0;

  add({ block, layout, squaredNorm, blockOffset }: CheckedMessage): void {
    const { tokens, vectorsStart, vectorsStop } = layout;
    this.#probes.add(block, layout, blockOffset);
    const norm = squaredNorm / tokens;
    const range = this.#ranges.get(tokens);
    if (!range) this.#ranges.set(tokens, { least: norm, most: norm });
    else if (norm < range.least) range.least = norm;
    else if (norm > range.most) range.most = norm;
    this.#squaredNorm += squaredNorm;
    // The last bits of the first number, which the noise makes uniform.
    if (block[vectorsStart] % SAMPLE !== 0) return;
    this.#fingerprints.push(fingerprintOf(block.subarray(vectorsStart, vectorsStop)));
  }

  /** Mean of ‖r‖² over `tokens` tokens. */
  meanSquareNorm(tokens: number): number {
    return tokens === 0 ? 0 : this.#squaredNorm / tokens;
  }

  get norms(): NormRange[] {
    return [...this.#ranges].map(([tokens, range]) => ({ tokens, ...range }));
  }

  /** Where the vectors of the sampled sentences lie in the segment. */
  get probes(): readonly number[] {
    return this.#probes.places;
  }

  /** In hex, in the order of the sentences. */
  get fingerprints(): readonly string[] {
    return this.#fingerprints;
  }
}

function fingerprintOf(vectors: Uint8Array): string {
  const hash = sha256Hex(vectors);
  return hash.slice(0, 2 * FINGERPRINT_BYTES);
}
