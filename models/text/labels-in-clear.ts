import type { Document } from './document.js';
import type { LabelScheme } from './label-scheme.js';
import { sentencesOf } from './labelled-sentence.js';
import { pieceEnds } from './sentence-pieces.js';

/** Longer sentences are counted apart. */
export const LONG_TOKENS = 20;

/** Sentences, and how many of them have labels that no other has. */
export interface Uniqueness {
  readonly sentences: number;
  readonly unique: number;
}

/** Sentences that have the same labels. */
interface Kind {
  readonly tokens: number;
  count: number;
  /** The number of the note that all of them are of; undefined where they are of several. */
  note: number | undefined;
}

/** Notes, and how many of them have a sentence with labels that no other note has. */
export interface Telling {
  readonly notes: number;
  readonly told: number;
}

/**
 * How many sentences of a corpus, and how many notes, the labels alone tell from all others, which are shared in clear
 * with their number: who holds a note and knows its labels recognises these.
 */
export class LabelsInClear {
  readonly #kinds = new Map<string, Kind>();
  #notes = 0;

  /** `pieces` cuts sentences first, see `pieceEnds`. */
  constructor(
    private readonly scheme: LabelScheme,
    private readonly pieces = Number.POSITIVE_INFINITY,
  ) {}

  /** Throws `label-unknown` as `sentencesOf` does. */
  add(document: Document): void {
    for (const { labels } of sentencesOf(document, this.scheme, 0)) {
      let from = 0;
      for (const to of pieceEnds(labels, this.pieces)) {
        this.#count(labels.subarray(from, to));
        from = to;
      }
    }
    this.#notes++;
  }

  get all(): Uniqueness {
    return this.#over(0);
  }

  /** Of more than 20 tokens. */
  get long(): Uniqueness {
    return this.#over(LONG_TOKENS);
  }

  get notes(): Telling {
    const told = new Set([...this.#kinds.values()].map(({ note }) => note));
    told.delete(undefined);
    return { notes: this.#notes, told: told.size };
  }

  #count(labels: Uint8Array): void {
    const key = labels.join();
    const known = this.#kinds.get(key);
    if (!known) {
      this.#kinds.set(key, { tokens: labels.length, count: 1, note: this.#notes });
      return;
    }
    known.count++;
    if (known.note !== this.#notes) known.note = undefined;
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
