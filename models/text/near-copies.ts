import { createHash } from 'node:crypto';
import type { Document } from './document.js';
import { splitSentences } from './sentence-splitter.js';
import { tokenise } from './tokeniser.js';

/** UTF-16 units; shorter sentences are alike in texts that have nothing to do with each other. */
const LONG = 80;
/** Of the long sentences of the shorter document. */
const SHARED = 0.3;
/** A sentence of more documents is a form's. */
const MOST_HOLDERS = 20;
const HASH_BYTES = 16;

/**
 * Documents that are nearly the same: three in ten of the long sentences of one stand word for word in the other. Where a split
 * parts them, what is scored on was learned from.
 */
export class NearCopies {
  /** Documents by the hash of each long sentence of theirs. */
  readonly #holders = new Map<string, Set<number>>();
  readonly #sentences: number[] = [];

  add({ text, sentences }: Pick<Document, 'text' | 'sentences'>): void {
    const number = this.#sentences.length;
    const own = new Set<string>();
    for (const tokens of splitSentences(text, tokenise(text), sentences)) {
      const sentence = text.slice(tokens[0]?.start, tokens.at(-1)?.end);
      if (sentence.length > LONG) own.add(hashOf(sentence));
    }
    for (const sentence of own) {
      const holders = this.#holders.get(sentence);
      if (holders) holders.add(number);
      else this.#holders.set(sentence, new Set([number]));
    }
    this.#sentences.push(own.size);
  }

  /** Of how many documents there is such another one. */
  get count(): number {
    const shared = new Map<string, number>();
    for (const holders of this.#holders.values()) {
      if (holders.size > MOST_HOLDERS) continue;
      const all = [...holders];
      all.forEach((one, i) => {
        for (const other of all.slice(i + 1))
          shared.set(`${one} ${other}`, (shared.get(`${one} ${other}`) ?? 0) + 1);
      });
    }
    const found = new Set<number>();
    for (const [pair, count] of shared) {
      const both = pair.split(' ').map(Number) as [number, number];
      const least = Math.min(...both.map((number) => this.#sentences[number] as number));
      if (count >= SHARED * least) for (const number of both) found.add(number);
    }
    return found.size;
  }
}

function hashOf(sentence: string): string {
  return createHash('sha256').update(sentence).digest().toString('latin1', 0, HASH_BYTES);
}
