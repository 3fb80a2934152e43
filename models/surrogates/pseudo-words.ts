import type { Draws } from './draws.js';

/** A word begins as if these stood before it. */
const START = '\u0002\u0002';
const END = '';
const LEAST_LETTERS = 3;
const MOST_LETTERS = 12;
/** Draws for a word of such a length, before any length will do. */
const MOST_DRAWS = 20;
const WORD = /[\p{L}\p{M}]+/gu;

/**
 * Words that hardly anybody has, and that read like those of a list: every letter is drawn by how often it
 * follows the two before it there. A model that meets them learns from shape and context, not from the list.
 */
export class PseudoWords {
  /** By two letters, what follows them, as often as it does. */
  readonly #followers = new Map<string, string[]>();

  constructor(words: readonly string[]) {
    for (const [word] of words.flatMap((each) => [...each.toLowerCase().matchAll(WORD)])) {
      let before = START;
      for (const letter of [...word, END]) {
        const followers = this.#followers.get(before);
        if (followers) followers.push(letter);
        else this.#followers.set(before, [letter]);
        before = lastTwo(before, letter);
      }
    }
  }

  /** Begins with a capital; the empty text where no word of the list has a letter. */
  draw(draws: Draws): string {
    let word = '';
    for (let i = 0; i < MOST_DRAWS; i++) {
      word = this.#word(draws);
      const { length } = [...word];
      if (length >= LEAST_LETTERS && length < MOST_LETTERS) break;
    }
    const [first = '', ...rest] = word;
    return first.toUpperCase() + rest.join('');
  }

  #word(draws: Draws): string {
    let word = '';
    let before = START;
    for (let length = 0; length < MOST_LETTERS; length++) {
      const followers = this.#followers.get(before);
      const letter = followers?.[draws.integer(followers.length)] ?? END;
      if (letter === END) break;
      word += letter;
      before = lastTwo(before, letter);
    }
    return word;
  }
}

function lastTwo(before: string, letter: string): string {
  return [...before, letter].slice(-2).join('');
}
