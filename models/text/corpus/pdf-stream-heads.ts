/** What stands before the data of a stream (ISO 32000-1, 7.3.8). */
export interface StreamHead {
  /** The tokens of its dictionary, names decoded, strings left out. */
  readonly dictionary: readonly string[];
  /** Whether an array or another dictionary is around it, where no stream may stand. */
  readonly isNested: boolean;
  /** Where its data begin. */
  readonly dataAt: number;
}

interface Token {
  readonly text: string;
  /** Behind its last byte. */
  readonly end: number;
}

const OBJECT = Buffer.from('obj');
/** Table 1 of 7.2.2: what parts tokens and is none. */
const WHITE: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%'));
const NUMERIC: ReadonlySet<number> = new Set(Buffer.from('0123456789+-.'));
const LONGEST_WORD = 200;
const [LF, CR, BACKSLASH] = [10, 13, 92];

/**
 * The heads of all streams, wherever their objects begin: a table of objects may point into strings, comments
 * and other streams. `onRead` is told of the bytes that each object took.
 */
export function* streamHeads(
  bytes: Buffer,
  onRead: (length: number) => void,
): Generator<StreamHead> {
  for (let at = bytes.indexOf(OBJECT); at >= 0; at = bytes.indexOf(OBJECT, at + 1)) {
    const before = bytes[at - 1] ?? 0;
    if (!WHITE.has(before) && !NUMERIC.has(before)) continue;
    const head = headOf(bytes, at + OBJECT.length, onRead);
    if (head !== undefined) yield head;
  }
}

/** Of the object whose value begins at `from`; undefined where it is no stream. */
function headOf(
  bytes: Buffer,
  from: number,
  onRead: (length: number) => void,
): StreamHead | undefined {
  const tokens: string[] = [];
  const open: number[] = [];
  let dictionary: readonly string[] | undefined;
  let at = from;
  for (let token = tokenAt(bytes, at); token !== undefined; token = tokenAt(bytes, at)) {
    const { text } = token;
    onRead(token.end - at);
    at = token.end;
    if (dictionary !== undefined && text === 'stream')
      return { dictionary, isNested: open.length > 0, dataAt: nextLine(bytes, at) };
    const isClosed = open.length === 0 && tokens.length > 0;
    if (isClosed) return undefined;
    dictionary = undefined;
    const around = tokens[open.at(-1) ?? -1];
    if (text === '<<' || text === '[') open.push(tokens.length);
    else if (text === '>>' && around === '<<') dictionary = tokens.slice((open.pop() ?? 0) + 1);
    else if (text === ']' && around === '[') open.pop();
    tokens.push(text);
  }
  return undefined;
}

/** The value that stands behind a key of a dictionary: a token, a reference, an array or a dictionary. */
export function valueBehind(dictionary: readonly string[], key: number): readonly string[] {
  const from = key + 1;
  if (dictionary[from + 2] === 'R') return dictionary.slice(from, from + 3);
  let depth = 0;
  for (let at = from; at < dictionary.length; at++) {
    const token = dictionary[at];
    if (token === '<<' || token === '[') depth++;
    else if (token === '>>' || token === ']') depth--;
    if (depth <= 0) return dictionary.slice(from, at + 1);
  }
  return dictionary.slice(from);
}

/** Behind the line that says `stream`, as pdf.js has it: whatever else stands in that line. */
export function nextLine(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at++;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1;
}

function tokenAt(bytes: Buffer, from: number): Token | undefined {
  const at = behindWhite(bytes, from);
  if (at >= bytes.length) return undefined;
  const sign = String.fromCharCode(bytes[at] as number);
  const isDouble = bytes[at + 1] === bytes[at];
  if (sign === '(') return { text: '()', end: behindString(bytes, at) };
  if ((sign === '<' || sign === '>') && isDouble) return { text: sign + sign, end: at + 2 };
  if (sign === '<') {
    const close = bytes.indexOf('>', at);
    return { text: '()', end: close < 0 ? bytes.length : close + 1 };
  }
  if (sign !== '/' && DELIMITERS.has(bytes[at] as number)) return { text: sign, end: at + 1 };
  const isNumber = NUMERIC.has(bytes[at] as number);
  let end = at + 1;
  while (
    end < bytes.length &&
    (isNumber ? NUMERIC.has(bytes[end] as number) : isRegular(bytes, end))
  )
    end++;
  const text = bytes.toString('latin1', at, Math.min(end, at + LONGEST_WORD));
  return { text: sign === '/' ? decodedName(text) : text, end };
}

function isRegular(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] as number;
  return !WHITE.has(byte) && !DELIMITERS.has(byte);
}

/** 7.3.5: `#` and two digits stand for any character of a name. */
function decodedName(name: string): string {
  return name.replace(/#([0-9a-f]{2})/gi, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** Behind white space and comments. */
function behindWhite(bytes: Buffer, from: number): number {
  let at = from;
  let isComment = false;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === LF || byte === CR) isComment = false;
    else if (byte === 37) isComment = true;
    else if (!isComment && !WHITE.has(byte)) break;
  }
  return at;
}

/** 7.3.4.2: parentheses within a string stand in pairs, or behind a backslash. */
function behindString(bytes: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === 40) depth++;
    else if (byte === 41 && --depth === 0) return at + 1;
  }
  return bytes.length;
}
