import type { Document } from './document.js';
import type { LabelScheme } from './label-scheme.js';
import { sentencesOf } from './labelled-sentence.js';

/** Longer sentences are counted apart. */
export const LONG_TOKENS = 20;

/** Sentences, and how many of them have labels that no other has. */
export interface Uniqueness {
  readonly sentences: number;
  readonly unique: number;
}

/**
 * How many sentences of a corpus the labels alone tell from all others, which are shared in clear with
 * their number: who holds a note and knows its labels recognises these.
 */
export class LabelsInClear {
  /** By labels: tokens, and how many sentences have them. */
  readonly #kinds = new Map<string, { readonly tokens: number; count: number }>();

  /** `pieces` cuts sentences into parts of at most so many tokens first. */
  constructor(
    private readonly scheme: LabelScheme,
    private readonly pieces = Number.POSITIVE_INFINITY,
  ) {}

  /** Throws `label-unknown` as `sentencesOf` does. */
  add(document: Document): void {
    for (const { labels } of sentencesOf(document, this.scheme, 0))
      for (let from = 0; from < labels.length; from += this.pieces)
        this.#count(labels.subarray(from, Math.min(labels.length, from + this.pieces)));
  }

  get all(): Uniqueness {
    return this.#over(0);
  }

  /** Of more than 20 tokens. */
  get long(): Uniqueness {
    return this.#over(LONG_TOKENS);
  }

  #count(labels: Uint8Array): void {
    const key = labels.join();
    const known = this.#kinds.get(key);
    if (known) known.count++;
    else this.#kinds.set(key, { tokens: labels.length, count: 1 });
  }

  #over(tokens: number): Uniqueness {
    let sentences = 0;
    let unique = 0;
    for (const kind of this.#kinds.values()) {
      if (kind.tokens <= tokens) continue;
      sentences += kind.count;
      if (kind.count === 1) unique++;
    }
    return { sentences, unique };
  }
}
