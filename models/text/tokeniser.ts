import { characterClass, DIGIT, EXTENDER, LETTER, SPACE } from './character-class.js';
import type { Token } from './token.js';

/** Names the rules below; a change of any token for any text is a new version. */
export const TOKENISATION = 'tacet-aggressive-1';

/**
 * The aggressive tokeniser of Liu et al. 2017: a token is a run of letters, a run of digits, or one
 * other character, so "25yo" gives "25", "yo" and every punctuation mark stands alone. Combining
 * marks stay with the character before them. Every character that is not white space is in exactly
 * one token. Linear in the length of the text.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let start = -1;
  let running = SPACE;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number;
    const kind = characterClass(code);
    const continues =
      start >= 0 &&
      (kind === EXTENDER || (kind === running && (kind === LETTER || kind === DIGIT)));
    if (!continues) {
      if (start >= 0) tokens.push({ start, end: at, text: text.slice(start, at) });
      start = kind === SPACE ? -1 : at;
      running = kind;
    }
    at += code > 0xffff ? 2 : 1;
  }
  if (start >= 0) tokens.push({ start, end: text.length, text: text.slice(start) });
  return tokens;
}
