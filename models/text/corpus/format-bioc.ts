import type { Document, Span } from '../document.js';
import { codePointSpans } from './code-points.js';
import { xmlAttribute, xmlCharacterData } from './xml-text.js';

/** What stands around the documents of a collection; its date is left empty, so that files compare. */
export const BIOC_XML_FRAME = {
  head:
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<collection>\n<source>tacet</source>\n<date></date>\n<key></key>\n',
  between: '',
  tail: '</collection>\n',
} as const;

/** The same in JSON. */
export const BIOC_JSON_FRAME = {
  head: '{"source":"tacet","date":"","key":"","infons":{},"documents":[\n',
  between: ',\n',
  tail: '\n]}\n',
} as const;

/** A document as BioC has it in XML: one passage, offsets in code points. Throws `corpus-invalid`. */
export function formatBiocXml(document: Document): string {
  const annotations = annotationsOf(document).map(
    ({ id, type, offset, length, text }) =>
      `<annotation id="${id}"><infon key="type">${xmlCharacterData(type)}</infon>` +
      `<location offset="${offset}" length="${length}"/>` +
      `<text>${xmlCharacterData(text)}</text></annotation>\n`,
  );
  return (
    `<document>\n<id>${xmlAttribute(document.id)}</id>\n<passage>\n<offset>0</offset>\n` +
    `<text>${xmlCharacterData(document.text)}</text>\n` +
    `${annotations.join('')}</passage>\n</document>\n`
  );
}

/** A document as BioC has it in JSON: one passage, offsets in code points. */
export function formatBiocJson(document: Document): string {
  const annotations = annotationsOf(document).map(({ id, type, offset, length, text }) => ({
    ...{ id, infons: { type }, text },
    locations: [{ offset, length }],
  }));
  const { id, text } = document;
  const passage = { offset: 0, infons: {}, text, sentences: [], annotations, relations: [] };
  return JSON.stringify({ id, infons: {}, passages: [passage], annotations: [], relations: [] });
}

function annotationsOf(document: Document) {
  return codePointSpans(document).map(({ type, start, end }, index) => {
    const own = document.spans[index] as Span;
    const text = document.text.slice(own.start, own.end);
    return { id: `${index + 1}`, type, offset: start, length: end - start, text };
  });
}
