import type { SentenceLayout } from '../proto/sentence-message.js';

/** Sentences of a segment by which copies of it are found. */
export const PROBES = 32;
/** Shorter sentences look alike: too many have the same labels. */
const LEAST_TOKENS = 8;
/** Values of a probe: the vectors of so many of its first tokens as come near to this. */
const PROBE_VALUES = 200;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** How many tokens of a sentence a probe takes, by the dimension of their vectors. */
export function probeTokens(dimension: number): number {
  return Math.min(LEAST_TOKENS, Math.max(1, Math.floor(PROBE_VALUES / dimension)));
}

/**
 * The sample of a segment: of its sentences of at least eight tokens those whose labels the fewest others
 * have, and of these those whose labels hash lowest, with all others of the same labels. Whoever gives
 * sentences again under a little more noise gives the same sample again, also in another order, and most
 * of it among others.
 */
export class ProbeSample {
  /** By hash of the labels. */
  readonly #places = new Map<number, number[]>();

  /** `offset` is where the block lies in its segment. */
  add(
    block: Uint8Array,
    { tokens, labelsStart, stop, vectorsStart }: SentenceLayout,
    offset: number,
  ) {
    if (tokens < LEAST_TOKENS) return;
    const hash = hashOf(block, labelsStart, stop);
    const place = offset + vectorsStart;
    const alike = this.#places.get(hash);
    if (alike) alike.push(place);
    else this.#places.set(hash, [place]);
  }

  /** Where the vectors of each lie in the segment. */
  get places(): number[] {
    const kinds = [...this.#places].sort(([a, ofA], [b, ofB]) => ofA.length - ofB.length || a - b);
    const sample: number[] = [];
    for (const [, alike] of kinds)
      if (sample.length + alike.length <= PROBES) sample.push(...alike);
    return sample;
  }
}

/** FNV-1a, its bits mixed as in MurmurHash3: fast, and no secret is kept by it. */
function hashOf(bytes: Uint8Array, start: number, stop: number): number {
  let hash = FNV_OFFSET;
  for (let i = start; i < stop; i++) hash = Math.imul(hash ^ bytes[i], FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
