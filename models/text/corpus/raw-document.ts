import { TacetError } from '../../../proto/errors.js';
import type { Document, Span } from '../document.js';
import { loneSurrogate } from './code-points.js';
import { type Counting, countingsOf, type Offsets, offsetsOf, UTF_16 } from './offset-counting.js';
import type { RemarkCounts, Remarks } from './remarks.js';

/** A span as a file states it, not yet checked. */
export interface RawSpan {
  readonly type: string;
  /** In characters of the text, as the file counts them. */
  readonly start: number;
  readonly end: number;
  /** The text that the file says stands there. */
  readonly text?: string;
  /** Set on a fragment of a discontinuous annotation that is not its first. */
  readonly continues?: boolean;
  /** Where the file states it, e.g. `line 12`. */
  readonly place: string;
}

/** A document as a file states it, not yet checked. */
export interface RawDocument {
  readonly id: string;
  /** As the file has it: a byte order mark at its start is a character of it. */
  readonly text: string;
  readonly spans: readonly RawSpan[];
  /** Where its sentences begin, in characters as spans are, in order; absent where the format has none. */
  readonly sentences?: readonly number[];
  /** How the format counts characters, where it says so; found out by stated texts where absent. */
  readonly counting?: 'utf-16';
  /**
   * Set where the file parts its own sentences, or names entities without their places: whoever wrote it may have done so
   * by what the entities are.
   */
  readonly isInexact?: boolean | undefined;
  /** Set where the file says nothing of spans, not even that there are none. */
  readonly isPlain?: boolean | undefined;
  /** The file, and the line where one file holds several documents. */
  readonly origin: string;
  /** What its reader passed over. */
  readonly remarks?: RemarkCounts;
}

export interface CheckOptions {
  /** A system that is scored may mark one place twice; refused where absent. */
  readonly overlaps?: 'refuse' | 'keep' | undefined;
  /** Told what was passed over or changed in the document, once it is known to be sound. */
  readonly remarks?: Remarks | undefined;
}

const TYPE = /^[\p{L}\p{N}_.:-]{1,64}$/u;

/**
 * The document that a file states: offsets in UTF-16 units, spans in order. Throws `corpus-invalid`
 * where a type is malformed, a span is outside the text, is empty, differs from the text that the
 * file gives for it, cuts a character or, unless overlaps are kept, overlaps another. Spans stated
 * twice are kept once.
 */
export function checkedDocument(
  raw: RawDocument,
  { overlaps = 'refuse', remarks }: CheckOptions = {},
): Document {
  const surrogate = loneSurrogate(raw.text);
  if (surrogate >= 0)
    throw invalid(raw.origin, `the text holds half of a surrogate pair at offset ${surrogate}`);
  for (const span of raw.spans) checkShape(span, raw.origin);
  const offsets = offsetsOf(raw.text, agreeingCounting(raw));
  const placed = joinFragments(
    raw.spans.map((span) => place(span, offsets, raw)),
    raw.text,
  );
  const fragments = placed.filter(({ span }) => span.continues === true).length;
  placed.sort((a, b) => a.start - b.start || a.end - b.end);
  const spans: Span[] = [];
  for (const { span, start, end } of placed) {
    const before = spans.at(-1);
    if (before?.start === start && before.end === end && before.type === span.type) continue;
    if (overlaps === 'refuse' && before !== undefined && start < before.end)
      throw invalid(
        raw.origin,
        `${describe(span)} overlaps another span; expected spans that do not`,
      );
    spans.push({ type: span.type, start, end });
  }
  remarks?.add({ ...raw.remarks, fragments, repeatedSpans: placed.length - spans.length });
  const sentences = raw.sentences && sentenceStarts(raw.sentences, offsets);
  return { id: raw.id, text: raw.text, spans, ...(sentences && { sentences }) };
}

function sentenceStarts(starts: readonly number[], offsets: Offsets): number[] {
  return starts.flatMap((start) => offsets.at(start) ?? []);
}

function checkShape(span: RawSpan, origin: string): void {
  if (!TYPE.test(span.type))
    throw invalid(
      origin,
      `${span.place}: a type of 1 to 64 letters, digits, "_", ".", ":" or "-" was expected`,
    );
  if (!Number.isSafeInteger(span.start) || !Number.isSafeInteger(span.end) || span.start < 0)
    throw invalid(origin, `${span.place}: expected integer offsets from 0`);
  if (span.end <= span.start)
    throw invalid(origin, `${describe(span)} is empty; expected an end behind its start`);
}

/**
 * The first way to count characters under which every stated text agrees, else the usual one. Where
 * no text is stated nothing could show that another way is right.
 */
export function agreeingCounting(raw: Pick<RawDocument, 'text' | 'spans' | 'counting'>): Counting {
  if (raw.counting === 'utf-16') return UTF_16;
  const [usual, ...others] = countingsOf(raw.text);
  const isShown = raw.spans.some((span) => span.text !== undefined);
  if (others.length === 0 || !isShown) return usual;
  const agrees = (counting: Counting) => {
    const candidate = offsetsOf(raw.text, counting);
    return raw.spans.every((span) => matches(span, candidate, raw));
  };
  return [usual, ...others].find(agrees) ?? usual;
}

function matches(span: RawSpan, offsets: Offsets, { text }: Pick<RawDocument, 'text'>): boolean {
  const start = offsets.at(span.start);
  const end = offsets.at(span.end);
  if (start === undefined || end === undefined) return false;
  return span.text === undefined || isSameText(text.slice(start, end), span.text);
}

/**
 * XML attributes and brat lines hold a space where the text has a line break or a tab; for CRLF some
 * tools write one space and some two.
 */
function isSameText(found: string, stated: string): boolean {
  const merged = (text: string) => text.replace(/\r\n?|[\n\t]/g, ' ');
  const each = (text: string) => text.replace(/[\r\n\t]/g, ' ');
  return each(found) === each(stated) || merged(found) === merged(stated);
}

interface PlacedSpan {
  readonly span: RawSpan;
  readonly start: number;
  readonly end: number;
}

/** Fragments with nothing but white space between them are one span that a tool broke at a line end. */
function joinFragments(fragments: readonly PlacedSpan[], text: string): PlacedSpan[] {
  const joined: PlacedSpan[] = [];
  for (const fragment of fragments) {
    const before = joined.at(-1);
    const continues =
      fragment.span.continues === true &&
      before !== undefined &&
      before.end <= fragment.start &&
      text.slice(before.end, fragment.start).trim() === '';
    if (continues) joined[joined.length - 1] = { ...before, end: fragment.end };
    else joined.push(fragment);
  }
  return joined;
}

function place(span: RawSpan, offsets: Offsets, raw: RawDocument): PlacedSpan {
  const start = offsets.at(span.start);
  const end = offsets.at(span.end);
  if (start === undefined || end === undefined)
    throw invalid(
      raw.origin,
      `${describe(span)} is outside the text, which has ${offsets.count} characters`,
    );
  if (!matches(span, offsets, raw))
    throw invalid(
      raw.origin,
      `${describe(span)} differs from the text at its offsets; expected characters counted from 0`,
    );
  return { span, start, end };
}

/** Without its type, which may be a word of the text. */
function describe(span: RawSpan): string {
  return `${span.place}: the span ${span.start}-${span.end}`;
}

function invalid(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
