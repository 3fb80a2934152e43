import type { Embeddings } from './embeddings.js';

const MARK = /\p{M}/u;

/**
 * A word as its vector is looked up: where accents stand behind their letters as marks of their own, as some systems
 * write them, composed (Unicode's NFC), unless the vectors have it as it stands. Either spelling of a name is one word.
 */
export function composedWord(word: string, embeddings: Pick<Embeddings, 'row'>): string {
  if (!MARK.test(word) || embeddings.row(word) >= 0) return word;
  return word.normalize('NFC');
}
