import { TacetError } from '../../../proto/errors.js';
import { countCodePoints } from './code-points.js';
import type { RawDocument, RawSpan } from './raw-document.js';
import { decodeUtf8, isBlank, type Line, MAX_DOCUMENT_BYTES, tooLarge } from './read-bytes.js';
import { TagReader } from './tag-reader.js';

const DOCUMENT_START = /^-DOCSTART-(\s|$)/;
/** The word and the character behind it. */
const DOCUMENT_START_BYTES = 11;
/** What stands in the second column of a document start that names none. */
const NO_ID = /^(O|_|-.-)?$/u;

/**
 * The documents of a file of columns, one call a document: a token first, its tag last, columns
 * parted by tabs where a line holds one and by blanks elsewhere, a blank line after each sentence.
 * A `-DOCSTART-` line starts a document and may name it in its second column; without one the file
 * is one document. The text has one blank between tokens and one line break between sentences, which stay
 * the file's own where a blank line parts any.
 */
export async function* parseConll(
  lines: AsyncIterable<Line>,
  path: string,
  name: string,
): AsyncGenerator<() => RawDocument> {
  let document: ColumnDocument | undefined;
  let started = 0;
  for await (const { number, bytes } of lines) {
    const origin = `${path}:${number}`;
    const line =
      bytes === undefined
        ? undefined
        : new ColumnLine(number === 1 ? withoutByteOrderMark(bytes) : bytes, origin);
    if (line?.isDocumentStart) {
      if (document !== undefined) yield document.parse;
      started++;
      document = new ColumnDocument(`${name}-${started}`, origin);
      document.name(line);
    } else if (line === undefined || !line.isBlank || document !== undefined) {
      document ??= new ColumnDocument(name, path);
      document.add(line, origin);
    }
  }
  if (document !== undefined) yield document.parse;
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** A line, decoded when its columns are asked for, so that a wrong byte spoils one document only. */
class ColumnLine {
  readonly isBlank: boolean;
  readonly isDocumentStart: boolean;

  constructor(
    readonly bytes: Uint8Array,
    private readonly origin: string,
  ) {
    this.isBlank = isBlank(bytes);
    const head = Buffer.from(bytes.subarray(0, DOCUMENT_START_BYTES)).toString();
    this.isDocumentStart = DOCUMENT_START.test(head);
  }

  columns(): string[] {
    const line = decodeUtf8(this.bytes, this.origin).replace(/\r$/, '');
    if (line.includes('\t')) return line.replace(/\t+$/, '').split('\t');
    return line.replace(/^ +| +$/g, '').split(/ +/);
  }
}

/** Gathers the lines of one document; what is wrong with it is thrown when it is parsed. */
class ColumnDocument {
  private readonly parts: string[] = [];
  /** In code points, [start, end) of each token. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly sentences: number[] = [];
  private readonly tags = new TagReader();
  private separator = '';
  private at = 0;
  private bytes = 0;
  private problem: unknown;

  constructor(
    private id: string,
    private readonly origin: string,
  ) {}

  /** Takes the id of a `-DOCSTART-` line that has one. */
  name(line: ColumnLine): void {
    this.attempt(() => {
      const [, id] = line.columns();
      if (id !== undefined && !NO_ID.test(id)) this.id = id;
    });
  }

  /** Takes a line, or word that there was one which is too long. */
  add(line: ColumnLine | undefined, origin: string): void {
    this.attempt(() => {
      this.bytes += line?.bytes.length ?? 0;
      if (line === undefined || this.bytes > MAX_DOCUMENT_BYTES) throw tooLarge(this.origin);
      if (line.isBlank) this.endSentence();
      else this.addToken(line.columns(), origin);
    });
  }

  private attempt(take: () => void): void {
    if (this.problem !== undefined) return;
    try {
      take();
    } catch (error) {
      this.problem = error;
      this.parts.length = 0;
    }
  }

  readonly parse = (): RawDocument => {
    if (this.problem !== undefined) throw this.problem;
    this.tags.endSentence();
    const spans = this.tags.runs.map(
      ({ type, start, end }): RawSpan => ({
        type,
        start: this.starts[start] as number,
        end: this.ends[end - 1] as number,
        place: `token ${start + 1}`,
      }),
    );
    const { id, origin, sentences } = this;
    const text = this.parts.join('');
    // One run of lines may be a sentence, or a file that parts none.
    const stated = sentences.length > 1 ? { sentences } : {};
    const remarks = this.tags.remarks();
    return { id, text, spans, ...stated, isInexact: true, origin, remarks };
  };

  private endSentence(): void {
    this.tags.endSentence();
    if (this.parts.length > 0) this.separator = '\n';
  }

  private addToken(columns: readonly string[], origin: string): void {
    const token = columns[0]?.trim() ?? '';
    const tag = columns.at(-1)?.trim() ?? '';
    if (columns.length < 2 || token === '' || !this.tags.add(tag))
      throw new TacetError(
        'corpus-invalid',
        `${origin}: expected a token in the first column and, in the last, O or a tag such as ` +
          'B-TYPE or I-TYPE',
      );
    const start = this.at + this.separator.length;
    if (this.separator !== ' ') this.sentences.push(start);
    this.at = start + countCodePoints(token);
    this.parts.push(this.separator, token);
    this.starts.push(start);
    this.ends.push(this.at);
    this.separator = ' ';
  }
}
