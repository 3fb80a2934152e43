import { joinedEdits, type TextEdit, withEdits } from './text-edits.js';

const REMOVED = '[removed]';
/** No word and no code is so long. */
const FEWEST_CHARACTERS = 80;
/** Lines of base64 have 64 or 76 characters, but for the last. */
const FULL_LINE = 40;
/** In base64 or base64url; so many dashes in a row are a rule. */
const LETTER = '(?:[A-Za-z0-9+/]|[_-](?![_-]{7}))';
const START = new RegExp(
  String.raw`data:[\w.+/;="-]{0,100};base64,|shc:/\d{${FEWEST_CHARACTERS},}|${LETTER}{${FULL_LINE}}`,
  'gi',
);
/**
 * JSON Web Tokens (RFC 7515 and 7516, section 7.1): two to five parts in base64url, of which the first is an object and begins as
 * all such do. An address may write `=` before it as `%3D`.
 */
const TOKEN = /(?:(?<![\w-])|(?<=%3D))eyJ[\w-]+(?:(?:\.[\w-]*){1,3}\.[\w-]+|\.eyJ[\w-]+)/g;
/** In parts, since a pattern over all of a picture would need a stack as large; addresses write marks as `%2B`. */
const LETTERS = new RegExp(`(?:${LETTER}|%){1,4096}`, 'y');
const PADDING = /={0,2}/y;
const BETWEEN_LINES = /\s{1,64}/y;
const END_OF_LINE = /={0,2}[ \t]{0,8}(?:\r?\n|$)/y;

/**
 * Where bytes stand in a text in base64, such as a picture's, which no pipeline can read: addresses that hold them
 * (`data:image/png;base64,…`), health cards in digits (`shc:/…`), JSON Web Tokens, and runs of letters of both cases and digits
 * that are longer than any word.
 */
export function encodedBytesIn(text: string): TextEdit[] {
  const tokens = Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({
    ...{ start: index, end: index + token.length, text: REMOVED },
  }));
  return joinedEdits(tokens, runsIn(text));
}

function runsIn(text: string): TextEdit[] {
  const found: TextEdit[] = [];
  START.lastIndex = 0;
  for (let match = START.exec(text); match; match = START.exec(text)) {
    const start = match.index;
    const isAddress = match[0].includes(':');
    const end = endOfBytes(text, isAddress ? START.lastIndex : start);
    if (isAddress || isLong(text.slice(start, end))) found.push({ start, end, text: REMOVED });
    START.lastIndex = end;
  }
  return found;
}

/** Behind the lines of base64 that begin at `from`, of which the last one may have any length. */
function endOfBytes(text: string, from: number): number {
  let line = from;
  let end = behind(LETTERS, text, from);
  while (end - line >= FULL_LINE) {
    const next = behindOne(BETWEEN_LINES, text, end);
    const nextEnd = behind(LETTERS, text, next);
    const isLast = /\n/.test(text.slice(end, next)) && matchesAt(END_OF_LINE, text, nextEnd);
    if (next === end || nextEnd === next || (nextEnd - next < FULL_LINE && !isLast)) break;
    [line, end] = [next, nextEnd];
  }
  return behindOne(PADDING, text, end);
}

function isLong(run: string): boolean {
  return (
    run.length >= FEWEST_CHARACTERS && [/[a-z]/, /[A-Z]/, /\d/].every((each) => each.test(run))
  );
}

/** Behind all matches of a sticky pattern from a place on. */
function behind(pattern: RegExp, text: string, from: number): number {
  let at = from;
  for (let next = behindOne(pattern, text, at); next > at; next = behindOne(pattern, text, at))
    at = next;
  return at;
}

function behindOne(pattern: RegExp, text: string, at: number): number {
  return matchesAt(pattern, text, at) ? pattern.lastIndex : at;
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The text without the bytes that stand in it, as long as it was. */
export function withoutBytes(text: string, bytes: readonly TextEdit[]): string {
  const blank = bytes.map(({ start, end }) => ({ start, end, text: '\n'.repeat(end - start) }));
  return withEdits(text, blank);
}
