import { TacetError } from '../../proto/errors.js';
import { ByteStream, type LongWork } from './byte-stream.js';
import { parseDecimal } from './decimal.js';
import { MatrixBuilder, type WordMatrix } from './matrix-builder.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const MAX_LINE_BYTES = 1 << 20;
/** A header may claim any number of words; room is made at once for no more values than this. */
const MAX_EXPECTED_VALUES = 1 << 28;

/**
 * Reads a word and its vector a line: fastText and word2vec `.vec` (a first line with the number of
 * words and dimensions) and GloVe `.txt` (no such line). The vector is the last E fields of a line,
 * so a word may hold spaces. Throws `embeddings-invalid` with the line where the file is malformed.
 */
export async function readTextVectors(path: string, work: LongWork = {}): Promise<WordMatrix> {
  return ByteStream.use(path, 'read word vectors', work, async (stream) => {
    const lines = new Lines(stream);
    if (!(await lines.next())) throw lines.invalid('expected a word and its vector, found no line');
    const header = lines.header();
    const dimension = header?.dimension ?? lines.fields() - 1;
    if (dimension < (header ? 1 : 2))
      throw lines.invalid('expected `words dimensions`, or a word and two or more numbers');

    const expected = Math.min(header?.words ?? 0, Math.floor(MAX_EXPECTED_VALUES / dimension));
    const builder = new MatrixBuilder(dimension, expected);
    if (header && !(await lines.next())) throw lines.invalid('expected a word, found the end');
    do builder.add(lines.parse(builder.next()));
    while (await lines.next());
    if (header && lines.number - 1 < header.words)
      throw lines.invalid(
        `the first line promises ${header.words} words, found ${lines.number - 1}; the file is cut off`,
      );
    return builder.build();
  });
}

/** The current line is `[start, end)` of the stream's buffer. */
class Lines {
  number = 0;
  #start = 0;
  #end = 0;

  constructor(private readonly stream: ByteStream) {}

  async next(): Promise<boolean> {
    const { stream } = this;
    let scanned = 0;
    for (;;) {
      const from = stream.position + scanned;
      const newline = stream.buffer.subarray(from, stream.end).indexOf(NEWLINE);
      if (newline >= 0) return this.#take(from + newline, 1);
      scanned = stream.ready;
      if (scanned > MAX_LINE_BYTES) {
        this.number++;
        throw this.invalid(`expected a line of at most ${MAX_LINE_BYTES} bytes`);
      }
      if (!(await stream.ensure(scanned + 1))) return stream.ready > 0 && this.#take(stream.end, 0);
    }
  }

  #take(end: number, terminator: number): true {
    const { stream } = this;
    this.number++;
    this.#start = stream.position;
    this.#end = end;
    if (
      this.number === 1 &&
      stream.buffer.subarray(this.#start, end).indexOf(BYTE_ORDER_MARK) === 0
    )
      this.#start += BYTE_ORDER_MARK.length;
    stream.position = end + terminator;
    while (this.#end > this.#start && isBlank(stream.buffer[this.#end - 1])) this.#end--;
    return true;
  }

  header(): { words: number; dimension: number } | undefined {
    const { buffer } = this.stream;
    const match = /^(\d{1,10}) (\d{1,5})$/.exec(buffer.toString('latin1', this.#start, this.#end));
    return match ? { words: Number(match[1]), dimension: Number(match[2]) } : undefined;
  }

  fields(): number {
    return this.stream.buffer.toString('latin1', this.#start, this.#end).split(/[ \t]+/).length;
  }

  /** Puts the vector into `vector` and returns the word. */
  parse(vector: Float32Array): string {
    const { buffer } = this.stream;
    let end = this.#end;
    for (let i = vector.length - 1; i >= 0; i--) {
      let start = end;
      while (start > this.#start && !isSeparator(buffer[start - 1])) start--;
      const value = parseDecimal(buffer, start, end);
      if (!Number.isFinite(Math.fround(value)) || start === this.#start)
        throw this.invalid(
          `expected a word and ${vector.length} numbers, each within a 32-bit float; the file is malformed`,
        );
      vector[i] = value;
      end = start;
      while (end > this.#start && isSeparator(buffer[end - 1])) end--;
    }
    if (this.#endsInNumber(end))
      throw this.invalid(`expected ${vector.length} numbers, found more; the file is malformed`);
    return buffer.toString('utf8', this.#start, end);
  }

  /** Whether the text before `end` has several fields and the last is a number. */
  #endsInNumber(end: number): boolean {
    const { buffer } = this.stream;
    let start = end;
    while (start > this.#start && !isSeparator(buffer[start - 1])) start--;
    return start > this.#start && !Number.isNaN(parseDecimal(buffer, start, end));
  }

  invalid(problem: string): TacetError {
    return new TacetError('embeddings-invalid', `${this.stream.path}:${this.number}: ${problem}`);
  }
}

function isSeparator(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

function isBlank(byte: number | undefined): boolean {
  return isSeparator(byte) || byte === RETURN;
}
