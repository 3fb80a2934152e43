/** The releases of some sentences, [T, d] elements each, in the arrays in which they came. */
export class Encodings {
  readonly #starts: Uint32Array;
  readonly #lengths: Uint32Array;
  readonly #arrays: Uint8Array[];

  /** `tokenBytes`: what the vector of one token takes. */
  constructor(sentences: readonly { readonly length: number }[], tokenBytes: number) {
    this.#lengths = Uint32Array.from(sentences, ({ length }) => length * tokenBytes);
    this.#starts = new Uint32Array(sentences.length);
    this.#arrays = new Array(sentences.length);
  }

  /** Takes the elements of some of the sentences, behind each other. */
  set(sentences: readonly number[], elements: Uint8Array): void {
    let start = 0;
    for (const i of sentences) {
      this.#arrays[i] = elements;
      this.#starts[i] = start;
      start += this.#lengths[i] as number;
    }
  }

  /** The elements of one sentence. */
  of(sentence: number): Uint8Array {
    const start = this.#starts[sentence] as number;
    const length = this.#lengths[sentence] as number;
    return (this.#arrays[sentence] as Uint8Array).subarray(start, start + length);
  }
}
