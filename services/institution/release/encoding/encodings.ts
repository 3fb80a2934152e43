/** The releases of some sentences, [T, d] elements each, behind each other in one array. */
export class Encodings {
  readonly #ends: Uint32Array;

  /** `elements` [ΣT, d], for sentences of these lengths. */
  constructor(
    readonly elements: Uint8Array,
    sentences: readonly { readonly length: number }[],
  ) {
    let tokens = 0;
    const ends = sentences.map(({ length }) => (tokens += length));
    const tokenBytes = elements.length / tokens;
    this.#ends = Uint32Array.from(ends, (end) => end * tokenBytes);
  }

  /** The elements of one sentence. */
  of(sentence: number): Uint8Array {
    return this.elements.subarray(this.#ends[sentence - 1] ?? 0, this.#ends[sentence]);
  }
}
