import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { TacetError } from '../../../proto/errors.js';
import type { RawDocument, RawSpan } from './raw-document.js';

/**
 * A document of the 2014 i2b2 shape, which is MEDDOCAN's too: a root with `TEXT`, and `TAGS` whose
 * children carry `start`, `end`, `text` and `TYPE`; without one it is text alone. Offsets count the characters of the parsed text
 * of `TEXT`, that is, after entities, and with line breaks as XML 1.0 section 2.11 normalises them.
 * Document type declarations are refused, so no entity beyond XML's own five is ever resolved.
 */
export function parseI2b2Xml(xml: string, id: string, origin: string): RawDocument {
  const parser = new SaxesParser({ xmlns: false });
  const fail = (problem: string): never => {
    throw new TacetError('corpus-invalid', `${origin}:${parser.line}:${parser.column}: ${problem}`);
  };
  const path: string[] = [];
  const spans: RawSpan[] = [];
  let text: string | undefined;
  let hasTags = false;
  let otherElements = 0;
  const read = (part: string) => {
    if (path.length === 2 && path[1] === 'TEXT') text += part;
  };
  parser.on('doctype', () => fail('document type declarations are refused; remove it'));
  parser.on('text', read);
  parser.on('cdata', read);
  parser.on('opentag', (tag) => {
    if (path.length === 1 && tag.name === 'TEXT') {
      if (text !== undefined) fail('a second TEXT element; expected one');
      text = '';
    } else if (path[1] === 'TEXT') fail('an element within TEXT; expected text or CDATA');
    else if (path.length === 2 && path[1] === 'TAGS') spans.push(spanOf(tag, parser.line));
    else if (path.length === 1 && tag.name === 'TAGS') hasTags = true;
    else if (path.length > 0) otherElements++;
    path.push(tag.name);
  });
  parser.on('closetag', () => path.pop());
  // The parser's own messages quote the text around the error, which may hold PHI.
  parser.on('error', () => fail('the XML is not well-formed here'));
  parser.write(xml).close();
  if (text === undefined) return fail('there is no TEXT element under the root; expected one');
  return { id, text, spans, isPlain: !hasTags, origin, remarks: { otherElements } };
}

function spanOf({ name, attributes }: SaxesTagPlain, line: number): RawSpan {
  const { start, end, text, TYPE } = attributes as Partial<Record<string, string>>;
  return {
    type: TYPE || name,
    start: offsetOf(start),
    end: offsetOf(end),
    ...(text === undefined ? {} : { text }),
    place: `line ${line}`,
  };
}

function offsetOf(attribute: string | undefined): number {
  return attribute !== undefined && /^\d{1,10}$/.test(attribute) ? Number(attribute) : Number.NaN;
}
