import { TacetError } from '../../proto/errors.js';
import type { ByteStream } from './byte-stream.js';
import { parseDecimal } from './decimal.js';

/** No string and no array of numbers that is taken whole may be longer than this. */
const LOOKAHEAD_BYTES = 256 << 10;

const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;

/**
 * Takes a JSON file apart from front to end (RFC 8259) without building it in memory. Values are
 * taken from the buffer; `advance` must be awaited before each, so that it is there whole.
 */
export class JsonBytes {
  constructor(private readonly stream: ByteStream) {}

  /** Brings in the bytes of the next value. */
  async advance(): Promise<void> {
    if (this.stream.ready < LOOKAHEAD_BYTES) await this.stream.ensure(LOOKAHEAD_BYTES);
  }

  /** The members of the object that starts here: `visit` must take the value of each. */
  async members(visit: (key: string) => Promise<void> | void): Promise<void> {
    this.expect(OBJECT, 'an object');
    if (this.accept(OBJECT_END)) return;
    do {
      await this.advance();
      const key = this.string();
      this.expect(COLON, 'a colon');
      const visited = visit(key);
      if (visited) await visited;
    } while (this.accept(COMMA));
    this.expect(OBJECT_END, 'the end of an object');
  }

  async #elements(visit: () => Promise<void>): Promise<void> {
    this.expect(ARRAY, 'an array');
    if (this.accept(ARRAY_END)) return;
    do await visit();
    while (this.accept(COMMA));
    this.expect(ARRAY_END, 'the end of an array');
  }

  string(): string {
    const { stream } = this;
    this.expect(QUOTE, 'a string');
    const start = stream.position;
    const { buffer, end } = stream;
    let escaped = false;
    for (let i = start; i < end; i++) {
      if (buffer[i] === QUOTE) {
        stream.position = i + 1;
        const text = buffer.toString('utf8', start, i);
        return escaped ? this.#unescape(text) : text;
      }
      if (buffer[i] === BACKSLASH) {
        escaped = true;
        i++;
      }
    }
    throw this.invalid('expected the end of a string');
  }

  number(): number {
    this.#skipSpace();
    const { buffer, position, end } = this.stream;
    let i = position;
    while (i < end && !isDelimiter(buffer[i] as number)) i++;
    const value = parseDecimal(buffer, position, i);
    if (!Number.isFinite(Math.fround(value)))
      throw this.invalid('expected a number within a 32-bit float');
    this.stream.position = i;
    return value;
  }

  /** Takes an array of numbers, puts the first ones into `target` and passes over the others. */
  numbers(target: Float32Array): void {
    this.expect(ARRAY, 'an array');
    let count = 0;
    do {
      const value = this.number();
      if (count < target.length) target[count] = value;
      count++;
    } while (this.accept(COMMA));
    this.expect(ARRAY_END, 'the end of an array');
    if (count < target.length)
      throw this.invalid(`expected ${target.length} numbers, found ${count}`);
  }

  /** Passes over a value of any kind and size. */
  async skip(): Promise<void> {
    await this.advance();
    const byte = this.#peek();
    if (byte === OBJECT) await this.members(() => this.skip());
    else if (byte === ARRAY) await this.#elements(() => this.skip());
    else if (byte === QUOTE) this.string();
    else this.#skipLiteral();
  }

  /** Takes `byte` where it comes next. */
  accept(byte: number): boolean {
    if (this.#peek() !== byte) return false;
    this.stream.position++;
    return true;
  }

  expect(byte: number, what: string): void {
    if (!this.accept(byte)) throw this.invalid(`expected ${what}`);
  }

  invalid(problem: string): TacetError {
    return new TacetError(
      'embeddings-invalid',
      `${this.stream.path}: byte ${this.stream.offset}: ${problem}; the file is malformed or cut off`,
    );
  }

  #peek(): number | undefined {
    this.#skipSpace();
    const { buffer, position, end } = this.stream;
    return position < end ? buffer[position] : undefined;
  }

  #skipSpace(): void {
    const { stream } = this;
    const { buffer, end } = stream;
    while (stream.position < end && (buffer[stream.position] as number) <= SPACE) stream.position++;
  }

  #skipLiteral(): void {
    const { stream } = this;
    const start = stream.position;
    while (stream.position < stream.end && !isDelimiter(stream.buffer[stream.position] as number))
      stream.position++;
    if (stream.position === start) throw this.invalid('expected a value');
  }

  #unescape(text: string): string {
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      throw this.invalid('expected a well-formed string');
    }
  }
}

function isDelimiter(byte: number): boolean {
  return byte <= SPACE || byte === COMMA || byte === ARRAY_END || byte === OBJECT_END;
}
