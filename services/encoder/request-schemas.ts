import { codePointSpans } from '../../models/text/corpus/code-points.js';
import { checkedDocument } from '../../models/text/corpus/raw-document.js';
import type { Document } from '../../models/text/document.js';
import { MAX_COPIES } from '../../proto/entity-treatment.js';
import { KEPT_TYPES } from '../../proto/kept-types.js';
import { NATURAL, SHARE } from '../../proto/schemas.js';
import { type TSchema, Type } from '../../proto/typebox.js';
import { closedObject, oneOf, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import type { DeidentifiedDocument } from '../institution/deidentify/deidentify.js';
import { PATTERN_TYPES } from '../institution/deidentify/recognisers/recognisers.js';
import { TREATMENTS } from '../institution/deidentify/treatment.js';

const MOST_DOCUMENTS = 10_000;
const LABEL = Type.String({ minLength: 1, maxLength: 64 });
/** Offsets in code points of the text, which is taken as it is: a byte order mark is one of them. */
const SPANS = Type.Array(
  closedObject(
    {
      /** As files and answers say it. */
      label: Type.Optional(LABEL),
      /** The same, said otherwise. */
      type: Type.Optional(LABEL),
      start: NATURAL,
      end: NATURAL,
    },
    { oneOf: [{ required: ['label'] }, { required: ['type'] }] },
  ),
);
const TEXT = {
  id: Type.Optional(Type.String({ maxLength: 256 })),
  text: Type.String(),
};
const SENT_TEXT = closedObject({ ...TEXT, spans: Type.Optional(SPANS) });
type SentText = TypeOf<typeof SENT_TEXT>;

const listOf = <S extends TSchema>(items: S) =>
  Type.Array(items, { minItems: 1, maxItems: MOST_DOCUMENTS });
/** Labelled, if only with no span at all: an unlabelled one would look like one without PHI. */
const DOCUMENTS = listOf(closedObject({ ...TEXT, spans: SPANS }));

const HOW_TO_ENCODE = {
  dryRun: Type.Optional(Type.Boolean()),
  /** How often each note leaves, each time with other entities, as far as the policy allows; once by default. */
  copies: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_COPIES })),
  /** Types whose entities are kept where the others are replaced, as far as the policy allows. */
  keep: Type.Optional(KEPT_TYPES),
};

const ENCODE_REQUEST = closedObject({ documents: DOCUMENTS, ...HOW_TO_ENCODE });
export const parseEncodeRequest = validator(ENCODE_REQUEST, 'request-invalid', 'the request');

/** Documents, or a file or directory below the encoder's input directory. */
const JOB_REQUEST = closedObject(
  {
    documents: Type.Optional(DOCUMENTS),
    input: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
    ...HOW_TO_ENCODE,
    /** The notes of the files hold no PHI: none of them needs a labelled entity. */
    withoutPhi: Type.Optional(Type.Boolean()),
  },
  { oneOf: [{ required: ['documents'] }, { required: ['input'] }] },
);
export const parseJobRequest = validator(JOB_REQUEST, 'request-invalid', 'the request');

const DEIDENTIFY_REQUEST = closedObject({
  documents: listOf(SENT_TEXT),
  policy: Type.Optional(oneOf(TREATMENTS)),
  language: Type.Optional(oneOf(['en', 'es'])),
  threshold: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
  /** Look for addresses, dates and numbers by their shape too, or for those of these types; true by default. */
  patterns: Type.Optional(
    Type.Union([Type.Boolean(), Type.Array(oneOf(PATTERN_TYPES), { maxItems: 100 })]),
  ),
});
export const parseDeidentifyRequest = validator(
  DEIDENTIFY_REQUEST,
  'request-invalid',
  'the request',
);

/** Documents as sent, with their spans checked. Throws `corpus-invalid`, naming the document by number. */
export function documentsOf(documents: readonly SentText[]): Document[] {
  return documents.map(({ id, text, spans = [] }, index) =>
    checkedDocument({
      id: id ?? `${index}`,
      text,
      origin: `document ${index}`,
      spans: spans.map(({ label, type, start, end }, at) => ({
        // The schema asks for one of the two.
        type: (label ?? type) as string,
        ...{ start, end, place: `span ${at}` },
      })),
    }),
  );
}

const ANSWERED_DOCUMENT = closedObject(
  {
    id: Type.String(),
    text: Type.String(),
    /** Offsets in code points. */
    spans: Type.Array(
      closedObject({
        ...{ start: NATURAL, end: NATURAL, label: Type.String() },
        /** Under `annotate` alone. */
        confidence: Type.Optional(SHARE),
      }),
    ),
  },
  { title: 'DeidentifiedDocument' },
);

/** A document as de-identification answers with it: a line of JSONL. */
export type AnsweredDocument = TypeOf<typeof ANSWERED_DOCUMENT>;

export const DEIDENTIFIED = closedObject({ documents: Type.Array(ANSWERED_DOCUMENT) });

export function answeredDocument(document: DeidentifiedDocument): AnsweredDocument {
  const { id, text } = document;
  const spans = codePointSpans(document).map(({ start, end, type: label, ...sureness }) => ({
    ...{ start, end, label, ...sureness },
  }));
  return { id, text, spans };
}
