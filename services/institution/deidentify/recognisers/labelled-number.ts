import type { PatternMatch, Recogniser } from './recogniser.js';

/** A number that is known by the words before it alone. */
export interface NumberLabel {
  readonly name: string;
  readonly type: string;
  /** Sources of expressions for words that nothing but such a number follows. */
  readonly words: readonly string[];
  /** Sources for words that want `number`, `no.` or `nº` behind them. */
  readonly wordsOfNumbers?: readonly string[];
  /** Whether blanks part groups of digits. */
  readonly isGrouped?: boolean;
  /** The source of what the number looks like, where it has one form. */
  readonly form?: string;
  /** Languages whose texts have it; all where absent. */
  readonly languages?: readonly string[];
}

const NUMBER = String.raw`(?:(?:numbers?|nos?|num|núm|número|nro|id|identifier|code|código)(?!\p{L})\.?|n\.?[º°]|#)`;
const BEFORE = String.raw`(?<![\p{L}\p{N}])`;
/** What stands between the words and the number. */
const BETWEEN = String.raw`[ \t]{0,3}[([]?[ \t]?(?:${NUMBER}[ \t]{0,2})?(?:(?:is|was|es|[:=-])[ \t]{0,3})?[([]?`;
/** Behind words that want `number`. */
const BETWEEN_NUMBERED = String.raw`[ \t]{0,2}[([]?[ \t]?${NUMBER}[ \t]{0,2}(?:(?:is|was|es|[:=-])[ \t]{0,3})?`;
const ENDS = String.raw`(?![\p{L}\p{N}])`;
/** Up to four letters may stand before the digits, as in `AB-1234`. */
const COMPACT = String.raw`(?:\p{L}{1,4}[-/.]?)?\d(?:[-./]?[\p{L}\d]){1,18}`;
const GROUPED = String.raw`(?:\p{L}{1,4}[-/.]?)?\d(?:[-./ ]?\d){2,18}(?:[-./]?\p{L})?`;
/** Of several numbers behind the words, what stands between two. */
const JOINED = /(?:,? (?:and|y|e)|,|;) (?:nos?\.|nº)? ?/uy;
const LEAST_DIGITS = 3;
const DATE = /^\d{1,2}([/.-])\d{1,2}\1(?:\d\d|\d{4})$/;

/** Finds numbers behind words that say what they are: one, or several that commas and `and` join. */
export function labelledNumber({ name, type, words, ...label }: NumberLabel): Recogniser {
  const { wordsOfNumbers = [], isGrouped = false, languages } = label;
  const sources = [
    [words, BETWEEN],
    [wordsOfNumbers, BETWEEN_NUMBERED],
  ] as const;
  const starts = sources
    .filter(([named]) => named.length > 0)
    .map(([named, between]) => `(?:${named.join('|')})${between}`);
  const start = new RegExp(`${BEFORE}(?:${starts.join('|')})`, 'giu');
  const form = label.form ?? (isGrouped ? GROUPED : COMPACT);
  const value = new RegExp(`${form}${ENDS}`, 'iuy');
  return { name, type, ...(languages && { languages }), context: [], find };

  function* find(text: string): Generator<PatternMatch> {
    for (const { 0: words, index } of text.matchAll(start)) {
      for (let at: number | undefined = index + words.length; at !== undefined; ) {
        const found = matchAt(value, text, at);
        if (found === undefined || !isNumber(found)) break;
        const end: number = at + found.length;
        yield { start: at, end, score: 0.85, pattern: 'number behind words that name it' };
        const joint = matchAt(JOINED, text, end);
        at = joint === undefined ? undefined : end + joint.length;
      }
    }
  }
}

function matchAt(expression: RegExp, text: string, at: number): string | undefined {
  expression.lastIndex = at;
  return expression.exec(text)?.[0];
}

function isNumber(value: string): boolean {
  return value.replace(/\D/g, '').length >= LEAST_DIGITS && !DATE.test(value);
}
