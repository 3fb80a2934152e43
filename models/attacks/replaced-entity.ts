/** An entity that another one was encoded for: the attacked release holds a surrogate in its place. */
export interface ReplacedEntity {
  /** The surrogate's first token in its sentence. */
  readonly start: number;
  /** Behind its last. */
  readonly end: number;
  readonly type: string;
  /** The words that stood there before, as `Vocabulary.uncased`. */
  readonly ids: readonly number[];
}
