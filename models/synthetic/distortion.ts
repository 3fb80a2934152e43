import type { Chance } from './chance.js';
import type { Institution } from './institution.js';
import type { Piece } from './note.js';

/** How badly one note is typed or scanned. */
export interface Distortion {
  readonly misspelling: number;
  readonly misreading: number;
  readonly casing: 'as written' | 'upper' | 'lower';
}

const HASTY_SHARE = 0.15;
const HASTY_FACTOR = 4;
const UPPER_SHARE = 0.05;
const LOWER_SHARE = 0.05;

/** Most notes are clean, some are written in haste, a few are all in one case. */
export function drawDistortion(chance: Chance, house: Institution): Distortion {
  const factor = chance.happens(HASTY_SHARE) ? HASTY_FACTOR : 0.5;
  const draw = chance.fraction();
  return {
    misspelling: house.misspelling * factor,
    misreading: house.misreading * factor,
    casing:
      draw < UPPER_SHARE ? 'upper' : draw < UPPER_SHARE + LOWER_SHARE ? 'lower' : 'as written',
  };
}

export function distort(piece: Piece, distortion: Distortion, chance: Chance): Piece {
  const { misspelling, misreading, casing } = distortion;
  let text = piece.text.replace(/\p{L}{4,}/gu, (word) =>
    chance.happens(misspelling) ? misspell(word, chance) : word,
  );
  if (misreading > 0)
    text = text.replace(/\S{2,}/g, (word) =>
      chance.happens(misreading) ? misread(word, chance) : word,
    );
  if (casing === 'upper') text = text.toUpperCase();
  if (casing === 'lower') text = text.toLowerCase();
  return { ...piece, text };
}

function misspell(word: string, chance: Chance): string {
  const at = chance.integer(1, word.length - 2);
  const [before, here, next, after] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 2),
  ];
  return chance.pick([
    before + next + here + after,
    before + next + after,
    before + here + here + next + after,
    before + (NEIGHBOURING_KEYS[here] ?? here) + next + after,
  ]);
}

const NEIGHBOURING_KEYS: Readonly<Record<string, string>> = {
  a: 's',
  e: 'r',
  i: 'o',
  o: 'p',
  n: 'm',
  t: 'y',
  r: 't',
  s: 'd',
  l: 'k',
  c: 'v',
  u: 'i',
  d: 'f',
};

/** What optical character recognition confuses. */
const MISREADINGS: readonly (readonly [RegExp, string])[] = [
  [/rn/, 'm'],
  [/m/, 'rn'],
  [/l/, '1'],
  [/I/, 'l'],
  [/O/, '0'],
  [/0/, 'O'],
  [/1/, 'l'],
  [/5/, 'S'],
  [/cl/, 'd'],
  [/e/, 'c'],
  [/h/, 'b'],
  [/,/, '.'],
];

function misread(word: string, chance: Chance): string {
  const [from, to] = chance.pick(MISREADINGS);
  return word.replace(from, to);
}
