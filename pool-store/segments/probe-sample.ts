import type { SentenceLayout } from '../../proto/sentence-message.js';

/** Sentences of a segment by which copies of it are found. */
export const PROBES = 32;
/** Shorter sentences look alike: too many have the same labels. */
const LEAST_TOKENS = 8;
/** Values of a probe: the vectors of so many of its first tokens as come near to this. */
const PROBE_VALUES = 200;

/** For as many sentences as a few blocks have. */
const FIRST_ROOM = 1024;

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
  /** Of the labels of each sentence, and where its vectors lie: one object a sentence would cost more than all the rest. */
  #hashes = new Uint32Array(FIRST_ROOM);
  #places = new Uint32Array(FIRST_ROOM);
  #sentences = 0;

  /** `offset` is where the block lies in its segment. */
  add(
    block: Uint8Array,
    { tokens, labelsStart, stop, vectorsStart }: SentenceLayout,
    offset: number,
  ) {
    if (tokens < LEAST_TOKENS) return;
    if (this.#sentences === this.#hashes.length) {
      this.#hashes = twiceAsLong(this.#hashes);
      this.#places = twiceAsLong(this.#places);
    }
    this.#hashes[this.#sentences] = hashOf(block, labelsStart, stop);
    this.#places[this.#sentences++] = offset + vectorsStart;
  }

  /** Where the vectors of each lie in the segment. */
  get places(): number[] {
    const hashes = this.#hashes.subarray(0, this.#sentences);
    const chosen = rarest(hashes);
    const sample = new Map(chosen.map((hash): [number, number[]] => [hash, []]));
    const highest = Math.max(...chosen);
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number;
      // Of many sentences most are above all that are chosen.
      if (hash <= highest) sample.get(hash)?.push(this.#places[i] as number);
    }
    return [...sample.values()].flat();
  }
}

/** The hashes that come least often, and of these the lowest, that come `PROBES` times in all at most. */
function rarest(hashes: Uint32Array): number[] {
  const sorted = hashes.slice().sort();
  /** By how often they come. */
  const kinds: number[][] = Array.from({ length: PROBES + 1 }, () => []);
  for (let start = 0, stop = 0; start < sorted.length; start = stop) {
    const hash = sorted[start] as number;
    while (sorted[stop] === hash) stop++;
    const kind = kinds[stop - start];
    if (kind && kind.length < PROBES) kind.push(hash);
  }
  const chosen: number[] = [];
  let room = PROBES;
  for (const [times, kind] of kinds.entries()) {
    for (const hash of kind) {
      if (times > room) return chosen;
      chosen.push(hash);
      room -= times;
    }
  }
  return chosen;
}

function twiceAsLong(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * values.length);
  longer.set(values);
  return longer;
}

/** FNV-1a, its bits mixed as in MurmurHash3: fast, and no secret is kept by it. */
function hashOf(bytes: Uint8Array, start: number, stop: number): number {
  let hash = FNV_OFFSET;
  for (let i = start; i < stop; i++) hash = Math.imul(hash ^ bytes[i], FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
