import type { Document } from './document.js';
import { longSentencesOf } from './long-sentences.js';

/** Of the long sentences of the shorter document. */
const SHARED = 0.3;
/** Fewer are a phrase that a house has for something. */
const LEAST_SHARED = 3;
/** A sentence of more documents is a form's. */
const MOST_HOLDERS = 20;

/**
 * Documents that are nearly the same: three long sentences and more of one, and three in ten, stand word for word in the
 * other. Where a split parts them, what is scored on was learned from.
 */
export class NearCopies {
  /** By the hash of a long sentence the documents that have it, one more than `MOST_HOLDERS` at most. */
  readonly #holders = new Map<string, number[]>();
  readonly #sentences: number[] = [];

  add(document: Pick<Document, 'text' | 'sentences'>): void {
    const number = this.#sentences.length;
    const own = longSentencesOf(document);
    for (const sentence of own) {
      const holders = this.#holders.get(sentence);
      if (!holders) this.#holders.set(sentence, [number]);
      else if (holders.length <= MOST_HOLDERS) holders.push(number);
    }
    this.#sentences.push(own.size);
  }

  /** Of how many documents there is such another one. */
  count(): number {
    return new Set(this.pairs().flat()).size;
  }

  /** Documents that are nearly the same, by the numbers in which they were added, from 0. */
  pairs(): [number, number][] {
    const shared = new Map<string, number>();
    for (const holders of this.#holders.values()) {
      if (holders.length > MOST_HOLDERS) continue;
      holders.forEach((one, i) => {
        for (const other of holders.slice(i + 1))
          shared.set(`${one} ${other}`, (shared.get(`${one} ${other}`) ?? 0) + 1);
      });
    }
    return [...shared]
      .map(([pair, count]) => ({ pair: pair.split(' ').map(Number) as [number, number], count }))
      .filter(({ pair: [one, other], count }) => count >= this.#enough(one, other))
      .map(({ pair }) => pair);
  }

  #enough(one: number, other: number): number {
    const least = Math.min(this.#sentences[one] as number, this.#sentences[other] as number);
    return Math.max(LEAST_SHARED, SHARED * least);
  }
}

/** Which of `others`, by index, are nearly the same as one of `known`. */
export function nearCopiesOf(
  known: readonly Pick<Document, 'text' | 'sentences'>[],
  others: readonly Pick<Document, 'text' | 'sentences'>[],
): Set<number> {
  const copies = new NearCopies();
  for (const document of [...known, ...others]) copies.add(document);
  const first = known.length;
  const pairs = copies.pairs().filter(([one, other]) => one < first && other >= first);
  return new Set(pairs.map(([, other]) => other - first));
}
