import type { SurrogateLanguage } from '../../models/surrogates/surrogates.js';
import { codePointSpans } from '../../models/text/corpus/code-points.js';
import { checkedDocument } from '../../models/text/corpus/raw-document.js';
import type { Document } from '../../models/text/document.js';
import { validator } from '../../proto/validator.js';
import {
  type DeidentifiedDocument,
  TREATMENTS,
  type Treatment,
} from '../institution/deidentify/deidentify.js';

interface SentText {
  readonly id?: string;
  readonly text: string;
  /** Offsets in code points of `text`, which is taken as it is: a byte order mark is one of them. */
  readonly spans?: readonly SentSpan[];
}

interface SentSpan {
  /** As files and answers say it. */
  readonly label?: string;
  /** The same, said otherwise. */
  readonly type?: string;
  readonly start: number;
  readonly end: number;
}

/** Labelled, if only with no span at all: an unlabelled one would look like one without PHI. */
type SentDocument = SentText & Required<Pick<SentText, 'spans'>>;

export interface EncodeRequest {
  readonly documents: readonly SentDocument[];
  readonly dryRun?: boolean;
}

/** Documents, or a file or directory below the encoder's input directory. */
export interface JobRequest {
  readonly documents?: readonly SentDocument[];
  readonly input?: string;
  readonly dryRun?: boolean;
}

export interface DeidentifyRequest {
  readonly documents: readonly SentText[];
  readonly policy?: Treatment;
  readonly language?: SurrogateLanguage;
  readonly threshold?: number;
  /** Look for addresses and numbers by their shape too; true by default. */
  readonly patterns?: boolean;
}

const MOST_DOCUMENTS = 10_000;
const OFFSET = { type: 'integer', minimum: 0 } as const;
const LABEL = { type: 'string', minLength: 1, maxLength: 64 } as const;
const SPAN = {
  type: 'object',
  additionalProperties: false,
  required: ['start', 'end'],
  oneOf: [{ required: ['label'] }, { required: ['type'] }],
  properties: {
    label: LABEL,
    type: LABEL,
    start: OFFSET,
    end: OFFSET,
  },
} as const;
const TEXTS = {
  type: 'array',
  minItems: 1,
  maxItems: MOST_DOCUMENTS,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['text'],
    properties: {
      id: { type: 'string', maxLength: 256 },
      text: { type: 'string' },
      spans: { type: 'array', items: SPAN },
    },
  },
} as const;

const DOCUMENTS = {
  ...TEXTS,
  items: { ...TEXTS.items, required: ['text', 'spans'] },
} as const;

export const parseEncodeRequest = validator<EncodeRequest>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['documents'],
    properties: { documents: DOCUMENTS, dryRun: { type: 'boolean' } },
  },
  'request-invalid',
  'the request',
);

export const parseJobRequest = validator<JobRequest>(
  {
    type: 'object',
    additionalProperties: false,
    oneOf: [{ required: ['documents'] }, { required: ['input'] }],
    properties: {
      documents: DOCUMENTS,
      input: { type: 'string', minLength: 1, maxLength: 4096 },
      dryRun: { type: 'boolean' },
    },
  },
  'request-invalid',
  'the request',
);

export const parseDeidentifyRequest = validator<DeidentifyRequest>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['documents'],
    properties: {
      documents: TEXTS,
      policy: { type: 'string', enum: TREATMENTS },
      language: { type: 'string', enum: ['en', 'es'] },
      threshold: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      patterns: { type: 'boolean' },
    },
  },
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

/** A document as de-identification answers with it: a line of JSONL, each span with its confidence. */
export interface AnsweredDocument {
  readonly id: string;
  readonly text: string;
  readonly spans: readonly {
    /** In code points. */
    readonly start: number;
    readonly end: number;
    readonly label: string;
    readonly confidence: number;
  }[];
}

export function answeredDocument(document: DeidentifiedDocument): AnsweredDocument {
  const { id, text } = document;
  const spans = codePointSpans(document).map(({ start, end, type: label, confidence }) => ({
    ...{ start, end, label, confidence },
  }));
  return { id, text, spans };
}
