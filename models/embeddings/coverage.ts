import type { Document } from '../text/document.js';
import { tokenise } from '../text/tokeniser.js';
import { composedWord } from './composed-word.js';
import type { Embeddings } from './embeddings.js';
import { isDigitsOnly, isPunctuation } from './word-shape.js';

/** How a word gets its vector, in the order in which a vocabulary tries (docs/design.md, Words). */
export const ORIGINS = ['as written', 'lower case', 'subwords', 'digits', 'unknown'] as const;
export type Origin = (typeof ORIGINS)[number];

export type OriginCounts = Readonly<Record<Origin, number>>;

export interface CoverageReport {
  readonly documents: number;
  readonly tokens: number;
  /** Tokens by origin: all, inside PHI spans, and the words of letters and digits among all. */
  readonly all: OriginCounts;
  readonly phi: OriginCounts;
  readonly words: OriginCounts;
  /** Different tokens by origin. */
  readonly distinct: OriginCounts;
}

/** Counts where the vectors of a corpus come from; keeps no text beyond its own lifetime. */
export class Coverage {
  readonly #origins = new Map<string, Origin>();
  readonly #all = zeros();
  readonly #phi = zeros();
  readonly #words = zeros();
  #documents = 0;
  #tokens = 0;

  constructor(private readonly embeddings: Embeddings) {}

  add({ text, spans }: Document): void {
    this.#documents++;
    let span = 0;
    for (const token of tokenise(text)) {
      while ((spans[span]?.end ?? Number.POSITIVE_INFINITY) <= token.start) span++;
      const origin = this.#originOf(token.text);
      this.#tokens++;
      this.#all[origin]++;
      if ((spans[span]?.start ?? Number.POSITIVE_INFINITY) < token.end) this.#phi[origin]++;
      if (!isPunctuation(token.text)) this.#words[origin]++;
    }
  }

  report(): CoverageReport {
    const distinct = zeros();
    for (const origin of this.#origins.values()) distinct[origin]++;
    return {
      documents: this.#documents,
      tokens: this.#tokens,
      all: this.#all,
      phi: this.#phi,
      words: this.#words,
      distinct,
    };
  }

  #originOf(word: string): Origin {
    const known = this.#origins.get(word);
    if (known) return known;
    const origin = originOf(this.embeddings, word);
    this.#origins.set(word, origin);
    return origin;
  }
}

function originOf(embeddings: Embeddings, token: string): Origin {
  const word = composedWord(token, embeddings);
  const row = embeddings.row(word);
  if (row >= 0) return embeddings.words[row] === word ? 'as written' : 'lower case';
  if (embeddings.subwordVector(word.toLowerCase())) return 'subwords';
  return isDigitsOnly(word) ? 'digits' : 'unknown';
}

function zeros(): Record<Origin, number> {
  return { 'as written': 0, 'lower case': 0, subwords: 0, digits: 0, unknown: 0 };
}
