import {
  ABBREVIATIONS,
  CLOSING_ABBREVIATIONS,
  DOTTED_ABBREVIATIONS,
  GERMAN_BEFORE_ORDINALS,
  GERMAN_MONTHS,
  NUMBER_ABBREVIATIONS,
  SENTENCE_STARTERS,
} from './abbreviations.js';
import { isListNumber, startsFormField, startsListItem } from './line-start.js';
import type { Token } from './token.js';

/** No sentence is longer, in tokens, so that text without punctuation costs linear time and memory. */
export const MAX_SENTENCE_TOKENS = 128;
/** A line this long, in UTF-16 units, may have been broken by an editor rather than by its author. */
const WRAPPED_LINE_LENGTH = 55;

const TERMINALS: ReadonlySet<string> = new Set(['.', '!', '?', '…', '。']);
const CLOSERS: ReadonlySet<string> = new Set(['"', "'", '”', '’', '»', '“', ')', ']']);
const LINE_TERMINALS: ReadonlySet<string> = new Set([...TERMINALS, ':', ';']);

/**
 * The sentences of a text, as runs of its tokens in order: split after terminal punctuation unless
 * it belongs to an abbreviation, an initial or a number; at blank lines; at line breaks before form
 * fields and list items and after lines that are too short to have been wrapped. Written for
 * English, Spanish, German and French clinical notes. Where `starts` are given, offsets in order at
 * which sentences begin, it is split there alone; a token that begins before one belongs to what is
 * before. Linear in the length of the text.
 */
export function splitSentences(
  text: string,
  tokens: readonly Token[],
  starts?: readonly number[],
): Token[][] {
  if (starts !== undefined) return splitAt(tokens, starts);
  const sentences: Token[][] = [];
  let first = 0;
  let lineFirst = 0;
  for (let at = 0; at < tokens.length; at++) {
    const breaks = lineBreaksAfter(text, tokens, at);
    if (endsSentence(tokens, at, lineFirst, breaks)) {
      pushCapped(sentences, tokens, first, at + 1);
      first = at + 1;
    }
    if (breaks > 0) lineFirst = at + 1;
  }
  return sentences;
}

function splitAt(tokens: readonly Token[], starts: readonly number[]): Token[][] {
  const sentences: Token[][] = [];
  let first = 0;
  let next = 0;
  tokens.forEach(({ start }, at) => {
    let begins = false;
    while ((starts[next] ?? Infinity) <= start) {
      begins = true;
      next++;
    }
    if (!begins || at === first) return;
    pushCapped(sentences, tokens, first, at);
    first = at;
  });
  if (first < tokens.length) pushCapped(sentences, tokens, first, tokens.length);
  return sentences;
}

function lineBreaksAfter(text: string, tokens: readonly Token[], at: number): number {
  const from = (tokens[at] as Token).end;
  const to = tokens[at + 1]?.start ?? from;
  let breaks = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x0a || code === 0x0c || code === 0x85 || code === 0x2028) breaks++;
    else if (code === 0x0d && text.charCodeAt(i + 1) !== 0x0a) breaks++;
    else if (code === 0x2029) breaks += 2;
  }
  return breaks;
}

function endsSentence(
  tokens: readonly Token[],
  at: number,
  lineFirst: number,
  breaks: number,
): boolean {
  if (at === tokens.length - 1 || breaks > 1) return true;
  return breaks === 1 ? endsLine(tokens, at, lineFirst) : endsWithinLine(tokens, at, lineFirst);
}

function endsLine(tokens: readonly Token[], at: number, lineFirst: number): boolean {
  const token = tokens[at] as Token;
  const next = tokens[at + 1] as Token;
  if (startsListItem(tokens, at + 1) || startsFormField(tokens, at + 1)) return true;
  if (token.text === '.' && isAbbreviation(tokens, at)) return false;
  if (LINE_TERMINALS.has(token.text) || isTerminalBehindClosers(tokens, at)) return true;
  if (startsLower(next.text)) return false;
  return token.end - (tokens[lineFirst] as Token).start < WRAPPED_LINE_LENGTH;
}

function endsWithinLine(tokens: readonly Token[], at: number, lineFirst: number): boolean {
  const token = tokens[at] as Token;
  const next = tokens[at + 1] as Token;
  if (next.start === token.end) return false;
  if (!TERMINALS.has(token.text)) return isTerminalBehindClosers(tokens, at) && startsAnew(next);
  if (!startsAnew(next)) return false;
  if (token.text !== '.') return true;
  const isListMarker = at === lineFirst + 1 && isListNumber(tokens, lineFirst);
  return !isListMarker && !isAbbreviation(tokens, at);
}

/** Whether up to two quotes or brackets end here, directly behind terminal punctuation. */
function isTerminalBehindClosers(tokens: readonly Token[], at: number): boolean {
  for (let i = at; i > at - 2 && i > 0; i--) {
    const closer = tokens[i] as Token;
    const before = tokens[i - 1] as Token;
    // French puts a space before its closing quotes.
    const isBehind = before.end === closer.start || closer.text === '»';
    if (!CLOSERS.has(closer.text) || !isBehind) return false;
    if (TERMINALS.has(before.text)) return before.text !== '.' || !isAbbreviation(tokens, i - 1);
  }
  return false;
}

function startsLower(word: string): boolean {
  return /^\p{Lowercase}/u.test(word);
}

function startsAnew(next: Token): boolean {
  return !startsLower(next.text) && !TERMINALS.has(next.text) && !/^[,;:)\]»%/=]/.test(next.text);
}

/** Whether the full stop at `at` is part of the word, number or "C/." before it. */
function isAbbreviation(tokens: readonly Token[], at: number): boolean {
  const stop = tokens[at] as Token;
  const word = tokens[at - 1];
  const next = tokens[at + 1];
  if (word === undefined || next === undefined || word.end < stop.start) return false;
  const lower = word.text.toLowerCase();
  if (word.text === '/') return true;
  if (/^\p{Nd}{1,4}$/u.test(word.text) && /^\p{Nd}/u.test(next.text)) return true;
  if (/^\p{Nd}{1,2}$/u.test(word.text)) return isGermanOrdinal(tokens[at - 2], next);
  if (word.text.length === 1) return isInitial(tokens, at - 1, next);
  if (ABBREVIATIONS.has(word.text) || ABBREVIATIONS.has(lower)) return true;
  const isNumbered = NUMBER_ABBREVIATIONS.has(lower) || lower.endsWith('str');
  return isNumbered && /^\p{Nd}/u.test(next.text);
}

/** "3. Mai", "die 2. Operation". */
function isGermanOrdinal(before: Token | undefined, next: Token): boolean {
  const word = next.text.toLowerCase();
  if (GERMAN_MONTHS.has(word)) return true;
  return (
    before !== undefined &&
    GERMAN_BEFORE_ORDINALS.has(before.text.toLowerCase()) &&
    !SENTENCE_STARTERS.has(word)
  );
}

/** A letter with a full stop: "J." of a name, the last of "e.g.", "p." before a page number. */
function isInitial(tokens: readonly Token[], at: number, next: Token): boolean {
  const letter = (tokens[at] as Token).text;
  if (isDotted(letter + next.text)) return true;
  const letters = tokens[at - 1]?.text === '.' ? (tokens[at - 2]?.text ?? '') + letter : '';
  if (CLOSING_ABBREVIATIONS.has(letters.toLowerCase())) return startsLower(next.text);
  if (isDotted(letters)) return true;
  if (NUMBER_ABBREVIATIONS.has(letter) && /^\p{Nd}/u.test(next.text)) return true;
  if (!/^\p{Lu}$/u.test(letter)) return false;
  return /^\p{Lu}/u.test(next.text) && !SENTENCE_STARTERS.has(next.text.toLowerCase());
}

/** Whether letters that each had a full stop form an abbreviation ("z. B.", "p. ej."). */
function isDotted(letters: string): boolean {
  const lower = letters.toLowerCase();
  return ABBREVIATIONS.has(lower) || DOTTED_ABBREVIATIONS.has(lower);
}

/** Adds tokens `[from, to)` as one sentence, or as several of at most the cap. */
function pushCapped(
  sentences: Token[][],
  tokens: readonly Token[],
  from: number,
  to: number,
): void {
  let first = from;
  while (to - first > MAX_SENTENCE_TOKENS) {
    const cut = cleanCut(tokens, first);
    sentences.push(tokens.slice(first, cut));
    first = cut;
  }
  sentences.push(tokens.slice(first, to));
}

/** Where to cut an overlong run: after its last clause, else at white space, else at the cap. */
function cleanCut(tokens: readonly Token[], first: number): number {
  const cap = first + MAX_SENTENCE_TOKENS;
  let space = 0;
  for (let cut = cap; cut > first + MAX_SENTENCE_TOKENS / 2; cut--) {
    const before = tokens[cut - 1] as Token;
    if (before.end === (tokens[cut] as Token).start) continue;
    if (/^[;:,.]$/.test(before.text)) return cut;
    space ||= cut;
  }
  return space || cap;
}
