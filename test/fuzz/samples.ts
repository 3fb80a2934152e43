import { deflateSync, gzipSync } from 'node:zlib';
import { generateNotes } from '../../models/synthetic/generate-notes.js';
import {
  BIOC_JSON_FRAME,
  BIOC_XML_FRAME,
  formatBiocJson,
  formatBiocXml,
} from '../../models/text/corpus/format-bioc.js';
import { formatCasJson, formatCasXmi } from '../../models/text/corpus/format-cas.js';
import { formatConll, TAG_SCHEMES } from '../../models/text/corpus/format-conll.js';
import {
  formatBrat,
  formatI2b2Xml,
  formatJsonl,
} from '../../models/text/corpus/format-document.js';
import { formatTask } from '../../models/text/corpus/format-label-studio.js';
import { formatWebanno } from '../../models/text/corpus/format-webanno.js';
import type { Document } from '../../models/text/document.js';
import { pdfOf } from '../models/text/corpus/pdf-file.js';

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

export const QUERIES = bytes([
  DOCUMENTS.map(({ text, spans }) =>
    [
      ...['===QUERY===', text, '===PHI_TAGS==='],
      ...spans.map(({ type, start, end }) =>
        JSON.stringify({ identifier_type: type, value: text.slice(start, end) }),
      ),
    ].join('\n'),
  ).join('\n\n'),
]);

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

function framed(
  { head, between, tail }: typeof BIOC_XML_FRAME | typeof BIOC_JSON_FRAME,
  format: (document: Document) => string,
): string {
  return head + DOCUMENTS.map(format).join(between) + tail;
}

export const BIOC_XML = bytes([framed(BIOC_XML_FRAME, formatBiocXml)]);
export const BIOC_JSON = bytes([framed(BIOC_JSON_FRAME, formatBiocJson)]);
export const CAS_JSON = bytes(DOCUMENTS.map(formatCasJson));
export const CAS_XMI = bytes(DOCUMENTS.map(formatCasXmi));
export const WEBANNO = bytes(DOCUMENTS.map((document) => formatWebanno(document).text));
/** Lists of tasks, one task, and JSON_MIN. */
export const TASKS = bytes([
  ...(['annotations', 'predictions'] as const).map(
    (kind) => `[${DOCUMENTS.map((document) => formatTask(document, kind)).join(',\n')}]`,
  ),
  formatTask(ODD, 'annotations'),
  JSON.stringify(
    DOCUMENTS.map(({ text, spans }, at) => ({
      ...{ text, id: at, annotator: 1, annotation_id: at },
      label: spans.map(({ type, start, end }) => ({
        ...{ start: [...text.slice(0, start)].length, end: [...text.slice(0, end)].length },
        ...{ text: text.slice(start, end), labels: [type] },
      })),
    })),
  ),
]);

export const GZIP = [...JSONL, ...COLUMNS].map((text) => gzipSync(text));

const SHOWN = 'BT /F1 12 Tf 20 150 Td (Seen by Ana \\(Lee\\)) Tj 0 -20 Td (Fever \\361.) Tj ET';

/** Pages of text, plain and packed, beside a picture, and with characters that a list names. */
export const PDF = [
  pdfOf([SHOWN, '', `q 300 0 0 200 0 0 cm /I1 Do Q ${SHOWN}`]),
  pdfOf([deflateSync(SHOWN).toString('latin1')], undefined, '/Filter /FlateDecode'),
  pdfOf([SHOWN], '<< /Type /Encoding /Differences [97 /b /c /eacute] >>'),
];

/** Health records with a text in every place that may hold one. */
export const FHIR = bytes([
  JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: DOCUMENTS.map(({ id, text }) => ({
      fullUrl: `http://x.org/DocumentReference/${id}`,
      resource: {
        ...{ resourceType: 'DocumentReference', id, date: '2020-02-28T10:00:00Z', size: 1.5 },
        ...{ subject: { reference: 'Patient/1', display: text }, description: text },
        text: { status: 'generated', div: `<div><p class="a">Ana &amp; <b>Lee</b></p></div>` },
        content: [
          {
            attachment: {
              ...{ contentType: 'text/plain', data: Buffer.from(text).toString('base64') },
            },
          },
        ],
      },
    })),
  }),
]);
export const CDA = bytes([
  '<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><id root="1.2" extension="a"/>' +
    '<effectiveTime value="20200228"/><recordTarget><patientRole><addr>Goya 3</addr></patientRole>' +
    '</recordTarget><section><text ID="a">Sñra. <content>Ana</content> &amp; <![CDATA[Lee]]><br/>' +
    '<!-- Ana --></text></section></ClinicalDocument>',
]);
