import type { Document, Span } from '../document.js';
import { codePointSpans, countCodePoints } from './code-points.js';
import { tagCategory } from './tag-category.js';
import { requireXmlCharacters, xmlAttribute } from './xml-text.js';

/**
 * A document as one line of JSONL, without the line break. Offsets count code points; `meta` is where
 * robust-deid looks for the id.
 */
export function formatJsonl(document: Document): string {
  const spans = codePointSpans(document).map(({ type, start, end }) => ({
    start,
    end,
    label: type,
  }));
  const { id, text } = document;
  return JSON.stringify({ id, text, spans, meta: { note_id: id } });
}

/**
 * A document as i2b2 2014 XML. Offsets count the code points of the parsed text. Throws
 * `corpus-invalid` where the text holds a control character, which XML 1.0 has no way to write.
 */
export function formatI2b2Xml(document: Document): string {
  const { text } = document;
  requireXmlCharacters(text);
  const tags = codePointSpans(document).map(
    ({ type, start, end }, index) =>
      `    <${tagCategory(type)} id="P${index}" start="${start}" end="${end}" ` +
      `text="${xmlAttribute(coveredText(document, index))}" TYPE="${xmlAttribute(type)}" comment=""/>\n`,
  );
  return (
    `<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n` +
    `<TEXT><![CDATA[${characterData(text)}]]></TEXT>\n` +
    `<TAGS>\n${tags.join('')}</TAGS>\n</deIdi2b2>\n`
  );
}

/** The `.ann` file of a document in brat standoff. Offsets count code points. */
export function formatBrat(document: Document): string {
  return codePointSpans(document)
    .map(({ type, start, end }, index) => {
      const text = coveredText(document, index);
      const fragments = lineFragments(text, start, end);
      const offsets = fragments.map((fragment) => `${fragment.start} ${fragment.end}`).join(';');
      const covered = fragments.map((fragment) => fragment.text).join(' ');
      return `T${index + 1}\t${type} ${offsets}\t${covered}\n`;
    })
    .join('');
}

function coveredText({ text, spans }: Document, index: number): string {
  const span = spans[index] as Span;
  return text.slice(span.start, span.end);
}

/**
 * brat breaks an annotation at line ends, because its lines cannot hold any. Those at its own start
 * and end are kept in the first and last fragment, each as a blank, so that it begins and ends where
 * it did.
 */
function lineFragments(text: string, start: number, end: number) {
  const fragments = [];
  let at = 0;
  let from = start;
  for (const { index, 0: line } of text.matchAll(/(?:^[\r\n]+)?[^\r\n]+(?:[\r\n]+$)?/g)) {
    from += index - at;
    at = index + line.length;
    const to = from + countCodePoints(line);
    fragments.push({ start: from, end: to, text: blanks(line) });
    from = to;
  }
  return fragments.length > 0 ? fragments : [{ start, end, text: blanks(text) }];
}

function blanks(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}

/** A carriage return is written as a reference: XML 1.0 section 2.11 would make it a line feed. */
function characterData(text: string): string {
  return text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
}
