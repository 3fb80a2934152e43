import { TacetError } from '../../../../proto/errors.js';

/** Flags of Python's `re`, as numbers in Presidio's requests. */
const FLAGS = { i: 2, m: 8, s: 16 } as const;
/** Patterns of text are of Unicode anyway. */
const UNICODE = 32;
export const DEFAULT_FLAGS = FLAGS.i | FLAGS.m | FLAGS.s;

const WORD = '\\p{L}\\p{M}\\p{N}_';
const [IN_WORD, NOT_IN_WORD] = [`[${WORD}]`, `[^${WORD}]`];
const BOUNDARY = `(?:(?<=${IN_WORD})(?!${IN_WORD})|(?<!${IN_WORD})(?=${IN_WORD}))`;
const NO_BOUNDARY = `(?:(?<=${IN_WORD})(?=${IN_WORD})|(?<!${IN_WORD})(?!${IN_WORD}))`;

/** Python's classes are of Unicode, JavaScript's of ASCII. */
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ d: '\\p{Nd}', D: '\\P{Nd}', s: '\\s', S: '\\S', w: IN_WORD, W: NOT_IN_WORD },
  ...{ b: BOUNDARY, B: NO_BOUNDARY, A: '(?<![^])', Z: '(?![^])' },
  ...{ n: '\\n', r: '\\r', t: '\\t', f: '\\f', v: '\\v' },
};
const ESCAPES_IN_CLASS: Readonly<Record<string, string>> = {
  ...{ d: '\\p{Nd}', D: '\\P{Nd}', s: '\\s', S: '\\S', w: WORD, b: '\\b' },
  ...{ n: '\\n', r: '\\r', t: '\\t', f: '\\f', v: '\\v' },
};
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

/**
 * A regular expression of Python's as one of JavaScript's, to find all of its matches. Throws
 * `request-invalid` for what JavaScript has no equal to, rather than match something else; `what` names
 * the pattern in the error.
 */
export function compilePattern(source: string, flags: number, what: string): RegExp {
  const inline = /^\(\?([ims]+)\)/.exec(source);
  const letters = new Set(inline?.[1] ?? '');
  for (const [letter, bit] of Object.entries(FLAGS)) if (flags & bit) letters.add(letter);
  if ((flags & ~(DEFAULT_FLAGS | UNICODE)) !== 0)
    throw new TacetError(
      'request-invalid',
      `${what}: of Python's flags IGNORECASE, MULTILINE and DOTALL are supported`,
    );
  const translated = translate(source.slice(inline?.[0].length ?? 0), what);
  try {
    return new RegExp(translated, `gu${[...letters].join('')}`);
  } catch {
    throw new TacetError(
      'request-invalid',
      `${what}: the regular expression is malformed, or uses what is not supported`,
    );
  }
}

/** One of the words, between characters that belong to no word. */
export function compileWords(words: readonly string[], flags: number, what: string): RegExp {
  const escaped = words.map((word) => word.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'));
  const pattern = `(?:^|(?<=${NOT_IN_WORD}))(?:${escaped.join('|')})(?:(?=${NOT_IN_WORD})|$)`;
  const compiled = compilePattern('', flags, what);
  return new RegExp(pattern, compiled.flags);
}

function translate(source: string, what: string): string {
  const tokens =
    /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[pP]\{[^}]*\}|[\s\S])|\(\?P?[<=>!:#]?|[\s\S]/gu;
  let inClass = false;
  return source.replace(tokens, (token) => {
    if (token.startsWith('\\')) return translateEscape(token, inClass, what);
    if (inClass) {
      inClass = token !== ']';
      return token.startsWith('(') ? token : token === '[' ? '\\[' : token;
    }
    inClass = token === '[';
    if (token === '(?P<') return '(?<';
    if (['(?P', '(?P=', '(?P>', '(?#', '(?>', '(?'].includes(token)) {
      throw new TacetError(
        'request-invalid',
        `${what}: groups that begin with ${token} are not supported`,
      );
    }
    return token;
  });
}

function translateEscape(token: string, inClass: boolean, what: string): string {
  const name = token.slice(1);
  const known = inClass ? ESCAPES_IN_CLASS : ESCAPES;
  if (Object.hasOwn(known, name)) return known[name] as string;
  if (/^U/.test(name) && name.length > 1) return `\\u{${name.slice(1)}}`;
  if (name.length > 1 || (!inClass && /[1-9]/.test(name))) return token;
  if (!/[A-Za-z0-9]/.test(name)) {
    if (SYNTAX.test(name) || (inClass && name === '-')) return token;
    return name;
  }
  throw new TacetError('request-invalid', `${what}: the escape \\${name} is not supported`);
}
