import fc from 'fast-check';
import type { Document } from '../../../../models/text/document.js';

const BYTE_ORDER_MARK = '\ufeff';

/** What readers and writers are apt to count wrongly, change or drop, and what a format must escape. */
const PIECES = [
  ...[
    'Ann',
    'ñ',
    '😀',
    '𝒳y',
    'Jose\u0301',
    '\u0301',
    'a\u200db',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\u00a0',
  ],
  ...[
    '\r\n',
    '\n',
    '\r',
    '\t',
    ' ',
    '\n\n',
    ']]>',
    '&',
    '<',
    '"',
    '\\',
    '1',
    '.',
    '-DOCSTART-',
    'O',
  ],
] as const;

/** XML 1.0 has no form for these. */
const CONTROLS = ['\0', '\u0001', '\u000b', '\u001f', '\uffff'] as const;

export interface HardDocuments {
  readonly controls?: boolean;
  /** Blanks around every span, so that each begins and ends where a token does. */
  readonly apart?: boolean;
}

/** Documents, half of them behind a byte order mark, of pieces of which some are spans. */
export function hardDocuments({ controls = false, apart = false }: HardDocuments = {}) {
  const pieces = fc.constantFrom<string>(...PIECES, ...(controls ? CONTROLS : []));
  const parts = fc.record({
    text: fc.array(pieces, { minLength: 1, maxLength: 6 }).map((all) => all.join('')),
    isSpan: fc.boolean(),
  });
  return fc
    .record({ marked: fc.boolean(), parts: fc.array(parts, { maxLength: 10 }) })
    .map(({ marked, parts: all }) =>
      documentOf(marked ? BYTE_ORDER_MARK : '', all, apart ? ' ' : ''),
    );
}

function documentOf(
  head: string,
  parts: readonly { readonly text: string; readonly isSpan: boolean }[],
  between: string,
): Document {
  let text = head;
  const spans = parts.flatMap((part, index) => {
    const start = text.length + between.length;
    text += between + part.text + between;
    const end = start + part.text.length;
    return part.isSpan ? [{ type: `T${index % 3}`, start, end }] : [];
  });
  return { id: 'note', text, spans };
}

/** How many code points stand before a UTF-16 offset, counted without the code under test. */
export function codePointsBefore(text: string, offset: number): number {
  return Array.from(text.slice(0, offset)).length;
}

/** The text between two offsets in code points. */
export function betweenCodePoints(text: string, start: number, end: number): string {
  return Array.from(text).slice(start, end).join('');
}
