import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import { parseJsonText } from '../../../proto/json-text.js';
import type { RawDocument, RawSpan } from './raw-document.js';
import { decodeUtf8, type Line, MAX_DOCUMENT_BYTES, tooLarge } from './read-bytes.js';

const QUERY = '===QUERY===';
const LETTER_OR_DIGIT_LAST = /[\p{L}\p{N}]$/u;
const LETTER_OR_DIGIT_FIRST = /^[\p{L}\p{N}]/u;
const TAGS = '===PHI_TAGS===';

/** What is stated of a value, which counts wherever it stands in the query. */
interface Tag {
  readonly identifier_type: string;
  readonly value: string;
}

const validate = jsonCheck<Tag>({
  type: 'object',
  required: ['identifier_type', 'value'],
  properties: { identifier_type: { type: 'string' }, value: { type: 'string', minLength: 1 } },
});

/**
 * The queries of a file of ASQ-PHI, one call a query: a line `===QUERY===`, the text, a line `===PHI_TAGS===`, and
 * an object a line for each value that is PHI. It states no places: a value is a span wherever it stands as words of
 * its own outside a longer one, so that what only looks alike is labelled too. An id is `query-<number>`. Throws
 * `corpus-invalid` where something else comes first.
 */
export async function* parseAsqPhi(
  lines: AsyncIterable<Line>,
  path: string,
): AsyncGenerator<() => RawDocument> {
  let query: Query | undefined;
  let count = 0;
  for await (const { number, bytes } of lines) {
    const isStart = bytes !== undefined && lineOf(bytes) === QUERY;
    if (isStart && query) yield query.parse;
    if (isStart) query = new Query(`query-${++count}`, `${path}:${number}`);
    else if (query) query.add(bytes, number);
    else if (bytes === undefined || lineOf(bytes) !== '')
      throw invalid(path, `line ${number}: expected ${QUERY} before all else`);
  }
  if (query) yield query.parse;
}

/** Without a byte order mark, and trimmed; for comparing alone. */
function lineOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8').replace('\ufeff', '').trim();
}

/** Gathers the lines of one query. */
class Query {
  readonly #lines: { readonly number: number; readonly bytes: Uint8Array }[] = [];
  #bytes = 0;

  constructor(
    readonly id: string,
    readonly origin: string,
  ) {}

  /** Takes a line, or word that there was one which is too long. */
  add(bytes: Uint8Array | undefined, number: number): void {
    this.#bytes += bytes?.length ?? MAX_DOCUMENT_BYTES + 1;
    if (bytes && this.#bytes <= MAX_DOCUMENT_BYTES) this.#lines.push({ number, bytes });
  }

  readonly parse = (): RawDocument => {
    const { id, origin } = this;
    if (this.#bytes > MAX_DOCUMENT_BYTES) throw tooLarge(origin);
    const lines = this.#lines.map(({ number, bytes }) => ({
      number,
      line: decodeUtf8(bytes, origin).replace(/\r$/, ''),
    }));
    const at = lines.findIndex(({ line }) => line.trim() === TAGS);
    if (at < 0) throw invalid(origin, `expected a line ${TAGS} behind the query`);
    const said = lines.slice(0, at).map(({ line }) => line);
    const text = said.join('\n').trim();
    const stated = lines.slice(at + 1).filter(({ line }) => line.trim() !== '');
    const tags = stated.map(({ line, number }) => ({ ...tagOf(line, origin, number), number }));
    const spans = spansOf(text, tags, origin);
    return { id, text, spans, counting: 'utf-16', isInexact: true, origin };
  };
}

function tagOf(line: string, origin: string, number: number): Tag {
  let value: unknown;
  try {
    value = parseJsonText(line);
  } catch {
    // The engine's own message quotes the line, which holds PHI.
    value = undefined;
  }
  if (!validate(value))
    throw invalid(origin, `line ${number}: expected {"identifier_type": TYPE, "value": TEXT}`);
  return value;
}

function spansOf(
  text: string,
  tags: readonly (Tag & { readonly number: number })[],
  origin: string,
): RawSpan[] {
  const spans: RawSpan[] = [];
  for (const { identifier_type: type, value, number } of tags.toSorted(longestFirst)) {
    const places = placesOf(value, text);
    if (places.length === 0)
      throw invalid(origin, `line ${number}: the value does not stand in the query`);
    for (const start of places) {
      const end = start + value.length;
      if (spans.every((span) => end <= span.start || span.end <= start))
        spans.push({ type, start, end, place: `line ${number}` });
    }
  }
  return spans;
}

function longestFirst(a: Tag, b: Tag): number {
  return b.value.length - a.value.length;
}

function placesOf(value: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (!isWithinWord(text, at) && !isWithinWord(text, at + value.length)) places.push(at);
  return places;
}

function isWithinWord(text: string, at: number): boolean {
  return LETTER_OR_DIGIT_LAST.test(text.slice(0, at)) && LETTER_OR_DIGIT_FIRST.test(text.slice(at));
}

function invalid(origin: string, problem: string): TacetError {
  return new TacetError('corpus-invalid', `${origin}: ${problem}`);
}
