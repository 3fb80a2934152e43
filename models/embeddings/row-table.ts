/** The rows of a vocabulary, in a form that can be sent to another thread. */
export interface RowTable {
  /** E */
  readonly dimension: number;
  /** [W, E] in shared memory, of the embeddings. */
  readonly matrix: Float32Array;
  /** [C, E] in shared memory, as `Vocabulary.composed`. */
  readonly composed: Float32Array;
  /** [size], as `Vocabulary.place`. */
  readonly places: Int32Array;
  /** [size], as `Vocabulary.trained`. */
  readonly trained: Uint8Array;
  /** [size], as `Vocabulary.casing`. */
  readonly casing: Uint8Array;
  /** [size · CODES_A_WORD] in shared memory, as `Vocabulary.codes`. */
  readonly codes: Uint16Array;
}
