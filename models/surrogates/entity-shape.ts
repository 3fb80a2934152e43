import { tokenise } from '../text/tokeniser.js';

/** Words of so many letters, most of them articles and prepositions, are a part of how an entity is written. */
const SMALL_WORD = 3;
const MOST_DIGITS = 4;

/**
 * How an entity is written, whatever it says: `el 12 de marzo de 2004` is `el 00 de aa de 0000`, `Sr. J. Pérez` is
 * `Aa . A . Aa`. Capitalised words that stand beside each other count as one.
 */
export function entityShape(entity: string): string {
  const shapes = tokenise(entity.normalize('NFC')).map(({ text }) => tokenShape(text));
  return shapes.filter((shape, at) => !isName(shape) || shape !== shapes[at - 1]).join(' ');
}

function isName(shape: string): boolean {
  return shape === 'Aa' || shape === 'AA';
}

function tokenShape(token: string): string {
  if (/^\p{Nd}/u.test(token)) return '0'.repeat(Math.min(MOST_DIGITS, [...token].length));
  const letters = [...token];
  if (!/^\p{L}/u.test(token)) return token;
  if (token.toLowerCase() === token.toUpperCase()) return 'xx';
  if (token === token.toLowerCase()) return letters.length <= SMALL_WORD ? token : 'aa';
  if (letters.length === 1) return 'A';
  return token === token.toUpperCase() ? 'AA' : 'Aa';
}
