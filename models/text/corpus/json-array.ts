import { TacetError } from '../../../proto/errors.js';
import { type Line, MAX_DOCUMENT_BYTES } from './read-bytes.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_ARRAY = 0x5d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * The elements of the JSON array that a stream holds, numbered from 1, in memory bounded by the
 * longest element that is allowed; `bytes` is absent where one is longer. Elements are parted, not
 * checked. With `orOne` an object in the array's place is its only element. Throws `corpus-invalid` where the
 * stream is neither or ends within it.
 */
export async function* readArray(
  chunks: AsyncIterable<Buffer>,
  origin: string,
  { orOne = false } = {},
): AsyncGenerator<Line> {
  const scanner = new ArrayScanner(origin, orOne);
  for await (const chunk of chunks) yield* scanner.elements(chunk);
  scanner.end();
}

/** Where the scanner stands: before the array, in it, or behind it. */
type Place = 'before' | 'within' | 'behind';

class ArrayScanner {
  private place: Place = 'before';
  private offset = 0;
  private number = 1;
  /** Brackets open within the element. */
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  private isEmpty = true;
  private awaitsElement = false;
  private parts: Buffer[] = [];
  private length = 0;
  /** Whether it is an object without an array around it. */
  private isOne = false;

  constructor(
    private readonly origin: string,
    private readonly orOne: boolean,
  ) {}

  *elements(chunk: Buffer): Generator<Line> {
    let from = this.place === 'within' ? 0 : -1;
    for (let at = 0; at < chunk.length; at++, this.offset++) {
      const byte = chunk[at] as number;
      if (this.place === 'within' && !this.ends(byte)) continue;
      if (this.place !== 'within') {
        if (this.opens(byte)) from = this.isOne ? at : at + 1;
        continue;
      }
      yield* this.keep(chunk.subarray(from, this.isOne ? at + 1 : at));
      yield* this.finish(byte);
      from = at + 1;
    }
    if (this.place === 'within') yield* this.keep(chunk.subarray(from));
  }

  end(): void {
    if (this.place !== 'behind')
      throw this.invalid(`the JSON ${this.isOne ? 'object' : 'array'} is not closed`);
  }

  /** Whether this byte opens the array; throws where it may not stand outside one. */
  private opens(byte: number): boolean {
    if (SPACE.has(byte)) return false;
    if (this.place === 'before' && byte === BYTE_ORDER_MARK[this.offset]) return false;
    this.isOne = this.orOne && byte === OPEN_OBJECT;
    if (this.place === 'behind' || (byte !== OPEN_ARRAY && !this.isOne))
      throw this.invalid(
        `expected one JSON array${this.orOne ? ' or object' : ''} and nothing beside it`,
      );
    this.place = 'within';
    if (this.isOne) {
      this.depth = 1;
      this.isEmpty = false;
    }
    return true;
  }

  /** Whether this byte ends an element. */
  private ends(byte: number): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.inString = false;
      return false;
    }
    if (this.depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) return true;
    if (!SPACE.has(byte)) this.isEmpty = false;
    if (byte === QUOTE) this.inString = true;
    else if (OPENING.has(byte)) this.depth++;
    else if (CLOSING.has(byte)) this.depth--;
    if (this.depth < 0) throw this.invalid('a bracket is closed that was not opened');
    return this.isOne && this.depth === 0;
  }

  /** Says at once that an element is too long, so that a reader need not wait for its end. */
  private *keep(part: Buffer): Generator<Line> {
    const fitted = this.length <= MAX_DOCUMENT_BYTES;
    this.length += part.length;
    if (this.length <= MAX_DOCUMENT_BYTES) this.parts.push(part);
    else if (fitted) {
      this.parts = [];
      yield { number: this.number };
    }
  }

  private *finish(byte: number): Generator<Line> {
    if (this.isEmpty && (byte === COMMA || this.awaitsElement))
      throw this.invalid('expected an element beside the comma');
    if (!this.isEmpty) {
      const { number } = this;
      if (this.length <= MAX_DOCUMENT_BYTES) yield { number, bytes: Buffer.concat(this.parts) };
      this.number++;
    }
    this.parts = [];
    this.length = 0;
    this.isEmpty = true;
    this.awaitsElement = byte === COMMA;
    if (byte === CLOSE_ARRAY || this.isOne) this.place = 'behind';
  }

  private invalid(problem: string): TacetError {
    return new TacetError('corpus-invalid', `${this.origin}: byte ${this.offset}: ${problem}`);
  }
}
