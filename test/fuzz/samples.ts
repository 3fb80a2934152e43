import { gzipSync } from 'node:zlib';
import { generateNotes } from '../../models/synthetic/generate-notes.js';
import { formatConll, TAG_SCHEMES } from '../../models/text/corpus/format-conll.js';
import {
  formatBrat,
  formatI2b2Xml,
  formatJsonl,
} from '../../models/text/corpus/format-document.js';
import type { Document } from '../../models/text/document.js';

/** Short and odd, so that most edits hit something that matters. */
const ODD: Document = {
  id: 'n1',
  text: 'Sñra. Ana 😀\nJosé\u0301 25yo, C/. Goya 3.\r\n\n- Dr. Lee ]]> & <b>.',
  spans: [
    { type: 'PATIENT', start: 6, end: 9 },
    { type: 'AGE', start: 19, end: 21 },
    { type: 'DOCTOR', start: 48, end: 51 },
  ],
};

const DOCUMENTS: readonly Document[] = [
  ODD,
  { id: 'empty', text: '', spans: [] },
  ...generateNotes({ seed: 1, documents: 6 }),
];

const bytes = (texts: readonly string[]) => texts.map((text) => Buffer.from(text));

export const XML = bytes(DOCUMENTS.map(formatI2b2Xml));

export const JSONL = bytes([
  DOCUMENTS.map((document) => `${formatJsonl(document)}\n`).join(''),
  `${formatJsonl(ODD)}\n`,
]);

export const COLUMNS = bytes(
  TAG_SCHEMES.flatMap((tags) =>
    ([' ', '\t'] as const).map((separator) =>
      DOCUMENTS.slice(0, 3)
        .map((document) => formatConll(document, { tags, separator }).text)
        .join(''),
    ),
  ),
);

export const ARRAYS = bytes([
  JSON.stringify(
    DOCUMENTS.map(({ text, spans }, at) => ({
      full_text: text,
      spans: spans.map(({ type, start, end }) => ({
        entity_type: type,
        entity_value: text.slice(start, end),
        start_position: start,
        end_position: end,
      })),
      template_id: at,
    })),
    null,
    1,
  ),
]);

export const TEXTS = bytes(DOCUMENTS.map(({ text }) => text));

/** Annotations, with the other lines of the format, behind their text and a form feed. */
export const BRAT = bytes(
  DOCUMENTS.map(
    (document) =>
      `${document.text}\f${formatBrat(document)}R1\tOf Arg1:T1 Arg2:T2\n#1\tNote T1\tsure\n*\tEquiv T1 T2\n`,
  ),
);

export const GZIP = [...JSONL, ...COLUMNS].map((text) => gzipSync(text));
