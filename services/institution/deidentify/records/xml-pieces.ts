import { SaxesParser } from 'saxes';
import { TacetError } from '../../../../proto/errors.js';

/** A part of an XML document as it stands there; joined again, they are the document. */
export interface XmlPiece {
  readonly kind: 'text' | 'open' | 'close' | 'empty' | 'comment' | 'other';
  readonly source: string;
}

export interface XmlAttribute {
  readonly name: string;
  /** References resolved. */
  readonly value: string;
  /** As it stands in the tag, with the white space before it. */
  readonly source: string;
}

/** What is no tag, by how it begins and ends. */
const DELIMITED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
const QUOTE_OR_END = /["'>]/g;
const BLANK = /\s/;
const ATTRIBUTE_NAME = /[^\s=/>]+/y;
const MAX_DEPTH = 256;

/** References of HTML that narratives of FHIR hold beside XML's own (FHIR R4, Narrative). */
const HTML_ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: '\u00a0', copy: '©', reg: '®', deg: '°', micro: 'µ', plusmn: '±', middot: '·' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…' },
  ...{ bull: '•', frac12: '½', frac14: '¼', sup2: '²', times: '×', le: '≤', ge: '≥', para: '¶' },
};
const XML_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
};

/**
 * The pieces of a well-formed XML document without a document type declaration. Throws `record-invalid`
 * with line and column, and no word of it.
 */
export function xmlPieces(xml: string, origin: string): XmlPiece[] {
  requireWellFormed(xml, origin);
  const pieces: XmlPiece[] = [];
  for (let at = 0; at < xml.length; ) {
    const source = xml.slice(at, endOfPiece(xml, at));
    pieces.push({ kind: kindOf(source), source });
    at += source.length;
  }
  return pieces;
}

/** Where the piece ends that begins at `at`, of a document that is known to be well-formed. */
function endOfPiece(xml: string, at: number): number {
  if (xml[at] !== '<') return orEnd(xml, xml.indexOf('<', at));
  for (const [start, end] of DELIMITED) {
    if (!xml.startsWith(start, at)) continue;
    const found = xml.indexOf(end, at + start.length);
    return orEnd(xml, found < 0 ? found : found + end.length);
  }
  return endOfTag(xml, at);
}

/** Without a pattern over all of a tag, whose stack would be too small for attributes without end. */
function endOfTag(xml: string, at: number): number {
  QUOTE_OR_END.lastIndex = at;
  for (let match = QUOTE_OR_END.exec(xml); match; match = QUOTE_OR_END.exec(xml)) {
    if (match[0] === '>') return match.index + 1;
    const closing = xml.indexOf(match[0], match.index + 1);
    if (closing < 0) break;
    QUOTE_OR_END.lastIndex = closing + 1;
  }
  return xml.length;
}

function orEnd(xml: string, found: number): number {
  return found < 0 ? xml.length : found;
}

function requireWellFormed(xml: string, origin: string): void {
  const parser = new SaxesParser({ xmlns: false });
  Object.assign(parser.ENTITIES, HTML_ENTITIES);
  const fail = (problem: string): never => {
    throw new TacetError('record-invalid', `${origin}:${parser.line}:${parser.column}: ${problem}`);
  };
  let depth = 0;
  parser.on('doctype', () => fail('document type declarations are refused; remove it'));
  parser.on('opentag', () => {
    if (++depth > MAX_DEPTH) fail(`elements lie deeper than ${MAX_DEPTH}`);
  });
  parser.on('closetag', () => {
    depth--;
  });
  // The parser's own messages quote the text around the error, which may hold PHI.
  parser.on('error', () => fail('the XML is not well-formed here'));
  parser.write(xml).close();
}

function kindOf(source: string): XmlPiece['kind'] {
  if (!source.startsWith('<') || source.startsWith('<![CDATA[')) return 'text';
  if (source.startsWith('<!--')) return 'comment';
  if (source.startsWith('<?')) return 'other';
  if (source.startsWith('</')) return 'close';
  return source.endsWith('/>') ? 'empty' : 'open';
}

/** The characters that a piece of text stands for. */
export function textOf({ source }: XmlPiece): string {
  if (source.startsWith('<![CDATA[')) return source.slice(9, -3);
  return resolved(source.replace(/\r\n?/g, '\n'));
}

/** A text as a piece. */
export function textPiece(text: string): XmlPiece {
  return { kind: 'text', source: text.replace(/[&<>\r]/g, reference) };
}

/** The name of an element, of its start or its end. */
export function nameOf({ source }: XmlPiece): string {
  return /^<\/?([^\s/>]+)/.exec(source)?.[1] ?? '';
}

/** Each with the blanks before it. Without a pattern over all of a tag, whose stack would be too small for blanks without end. */
export function attributesOf({ source }: XmlPiece): XmlAttribute[] {
  const found: XmlAttribute[] = [];
  for (let at = 0; at < source.length; ) {
    const start = at;
    at = behindBlanks(source, at);
    if (at === start) at++;
    else {
      const attribute = attributeAt(source, start, at);
      if (!attribute) continue;
      found.push(attribute);
      at = start + attribute.source.length;
    }
  }
  return found;
}

/** The one whose name begins at `from`, behind blanks since `start`. */
function attributeAt(source: string, start: number, from: number): XmlAttribute | undefined {
  ATTRIBUTE_NAME.lastIndex = from;
  const name = ATTRIBUTE_NAME.exec(source)?.[0];
  if (name === undefined) return undefined;
  const equals = behindBlanks(source, from + name.length);
  const opening = behindBlanks(source, equals + 1);
  const quote = source[opening];
  if (source[equals] !== '=' || (quote !== '"' && quote !== "'")) return undefined;
  const closing = source.indexOf(quote, opening + 1);
  if (closing < 0) return undefined;
  const value = resolved(source.slice(opening + 1, closing));
  return { name, value, source: source.slice(start, closing + 1) };
}

function behindBlanks(source: string, at: number): number {
  let behind = at;
  while (behind < source.length && BLANK.test(source[behind] as string)) behind++;
  return behind;
}

/** A start tag with other attributes, each as its source. */
export function tagWith(piece: XmlPiece, attributes: readonly string[]): XmlPiece {
  const end = piece.kind === 'empty' ? '/>' : '>';
  return { kind: piece.kind, source: `<${nameOf(piece)}${attributes.join('')}${end}` };
}

export function attributeSource(name: string, value: string): string {
  return ` ${name}="${value.replace(/[&<>"\t\n\r]/g, reference)}"`;
}

function resolved(source: string): string {
  return source.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (/^#x/i.test(name)) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
    return XML_ENTITIES[name] ?? HTML_ENTITIES[name] ?? whole;
  });
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
