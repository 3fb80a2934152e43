import type { Document, Span } from '../document.js';
import { splitSentences } from '../sentence-splitter.js';
import type { Token } from '../token.js';
import { tokenise } from '../tokeniser.js';
import { NAMED_ENTITY } from './annotation-layers.js';
import type { RemarkCounts } from './remarks.js';

/** What may stand between two sentences: the format keeps its length, and INCEpTION puts this there. */
const HELD_GAP = /^(.*)\n( *)$/s;

/** A row: a token, or the part of it that a span covers. */
interface Row {
  readonly start: number;
  readonly end: number;
  readonly spans: number[];
}

/**
 * A document as WebAnno TSV 3.3 with its spans as named entities; `remarks` say what could not be held: white
 * space before the first token is written as blanks, spans end where tokens or parts of them do, and
 * those without a token are lost. Offsets count UTF-16 units.
 */
export function formatWebanno(document: Document): { text: string; remarks: RemarkCounts } {
  const { text, spans } = document;
  const tokens = tokenise(text);
  const sentences = heldSentences(text, splitSentences(text, tokens));
  const rows = tokens.map((token) => rowsOf(token, spans));
  const uses = new Map<number, number>();
  for (const { spans: held } of rows.flat())
    for (const span of held) uses.set(span, (uses.get(span) ?? 0) + 1);
  const numbers = new Map<number, number>();
  for (const [span, count] of uses) if (count > 1) numbers.set(span, numbers.size + 1);
  const value = (held: readonly number[]) =>
    held.map((span) => cellValue(spans[span] as Span, numbers.get(span))).join('|') || '_';
  let token = 0;
  const blocks = sentences.map((sentence, number) => {
    const lines = sentence.text.split('\n').map((line) => `#Text=${escaped(line)}\n`);
    for (let index = 1; index <= sentence.tokens; index++, token++) {
      for (const [part, row] of (rows[token] as Row[]).entries()) {
        const unit = `${number + 1}-${index}${part === 0 ? '' : `.${part}`}`;
        const covered = text.slice(row.start, row.end);
        lines.push(`${unit}\t${row.start}-${row.end}\t${covered}\t${value(row.spans)}\t\n`);
      }
    }
    return `\n${lines.join('')}`;
  });
  const head = `#FORMAT=WebAnno TSV 3.3\n#T_SP=${NAMED_ENTITY}|value\n\n`;
  return { text: head + blocks.join(''), remarks: remarksOf(document, tokens, uses) };
}

function remarksOf(
  { text, spans }: Document,
  tokens: readonly Token[],
  uses: ReadonlyMap<number, number>,
): RemarkCounts {
  const head = text.slice(0, tokens[0]?.start ?? text.length);
  const isTrimmed = ({ start, end }: Span) => text.slice(start, end).trim().length < end - start;
  return {
    blankedSpace: /[^ ]/.test(head) ? 1 : 0,
    lostSpans: spans.length - uses.size,
    trimmedSpans: spans.filter((span, index) => uses.has(index) && isTrimmed(span)).length,
  };
}

/** The sentences with the white space behind them, two joined where the format could not hold it. */
function heldSentences(
  text: string,
  sentences: readonly (readonly Token[])[],
): { text: string; tokens: number }[] {
  const held: { text: string; tokens: number }[] = [];
  let from = sentences[0]?.[0]?.start ?? 0;
  let tokens = 0;
  for (const [index, sentence] of sentences.entries()) {
    tokens += sentence.length;
    const end = sentence.at(-1)?.end ?? from;
    const next = sentences[index + 1]?.[0]?.start;
    const gap = HELD_GAP.exec(text.slice(end, next ?? text.length));
    if (next !== undefined && gap === null && next > end) continue;
    const kept = next === undefined ? text.slice(end) : (gap?.[1] ?? '');
    held.push({ text: text.slice(from, end) + kept, tokens });
    from = next ?? text.length;
    tokens = 0;
  }
  return held;
}

/** The row of a token, and one for each part of it that a span covers. */
function rowsOf({ start, end }: Token, spans: readonly Span[]): Row[] {
  const whole: Row = { start, end, spans: [] };
  const rows = [whole];
  for (const [index, span] of spans.entries()) {
    if (span.end <= start || span.start >= end) continue;
    const part = { start: Math.max(start, span.start), end: Math.min(end, span.end) };
    if (part.start === start && part.end === end) whole.spans.push(index);
    else rows.push({ ...part, spans: [index] });
  }
  return rows;
}

/** A label in a cell, with the number that its rows share. */
export function cellValue({ type }: Pick<Span, 'type'>, number: number | undefined): string {
  const escapedType = type.replace(/[\\[\]|_;*]|->/g, (character) => `\\${character}`);
  return number === undefined ? escapedType : `${escapedType}[${number}]`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '\t': '\\t', '\r': '\\r', '\f': '\\f', '\b': '\\b', '\\': '\\\\' },
};

function escaped(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the format escapes controls so
  return line.replace(/[\0-\x1f\\]/g, (character) => ESCAPES[character] ?? `\\${character}`);
}
