import { jsonCheck } from '../../../proto/json-check.js';
import {
  type BiocDocument,
  type BiocPassage,
  rawBiocDocument,
  typeOfInfons,
} from './bioc-document.js';
import { checkedJson } from './checked-json.js';
import type { RawDocument } from './raw-document.js';

export interface JsonAnnotation {
  readonly infons?: Readonly<Record<string, unknown>>;
  readonly text?: string | null;
  readonly locations?: readonly { readonly offset: number; readonly length: number }[];
}

export interface JsonPassage {
  readonly offset?: number;
  readonly text?: string | null;
  readonly sentences?: readonly JsonPassage[];
  readonly annotations?: readonly JsonAnnotation[];
  readonly relations?: readonly unknown[];
}

export interface JsonDocument extends Pick<JsonPassage, 'annotations' | 'relations'> {
  readonly id?: string | number;
  readonly passages: readonly JsonPassage[];
}

export interface JsonCollection {
  readonly documents: readonly JsonDocument[];
}

const NATURAL = { type: 'integer', minimum: 0 };
const TEXT = { type: ['string', 'null'] };
const ANNOTATIONS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      infons: { type: 'object' },
      text: TEXT,
      locations: {
        type: 'array',
        items: {
          type: 'object',
          required: ['offset', 'length'],
          properties: { offset: NATURAL, length: NATURAL },
        },
      },
    },
  },
};
const UNIT = {
  offset: NATURAL,
  text: TEXT,
  annotations: ANNOTATIONS,
  relations: { type: 'array' },
};
const COLLECTION = {
  type: 'object',
  required: ['documents'],
  properties: {
    documents: {
      type: 'array',
      items: {
        type: 'object',
        required: ['passages'],
        properties: {
          id: { type: ['string', 'number'] },
          annotations: ANNOTATIONS,
          relations: { type: 'array' },
          passages: {
            type: 'array',
            items: {
              type: 'object',
              required: ['offset'],
              properties: {
                ...UNIT,
                sentences: {
                  type: 'array',
                  items: { type: 'object', required: ['offset'], properties: UNIT },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** A collection, or a list of some, as the web service of PubMed answers. */
const isFile = jsonCheck<JsonCollection | readonly JsonCollection[]>(
  {
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'array', items: COLLECTION },
    else: COLLECTION,
  },
  { allowUnionTypes: true },
);

const EXPECTED =
  'a BioC collection, {"documents": [{"id", "passages": [{"offset", "text", "annotations"}]}]}';

/** The documents of a BioC collection in JSON, one call a document. Throws `corpus-invalid`. */
export function* parseBiocJson(
  json: string,
  path: string,
  name: string,
): Generator<() => RawDocument> {
  const file = parseBiocFile(json, path);
  const collections = 'documents' in file ? [file] : file;
  const documents = collections.flatMap((collection) => collection.documents);
  for (const [index, document] of documents.entries())
    yield () =>
      rawBiocDocument(documentOf(document, `${name}-${index + 1}`, `${path}: /documents/${index}`));
}

/** What a file holds. Throws `corpus-invalid`. */
export function parseBiocFile(
  json: string,
  path: string,
): JsonCollection | readonly JsonCollection[] {
  return checkedJson(json, isFile, path, EXPECTED);
}

export function documentOf(
  document: JsonDocument,
  otherwise: string,
  origin: string,
): BiocDocument {
  const passages: BiocPassage[] = [];
  let isPlain = document.annotations === undefined;
  let relations = document.relations?.length ?? 0;
  const annotations = annotationsOf(document, '');
  for (const [index, passage] of document.passages.entries()) {
    const units = [passage, ...(passage.sentences ?? [])];
    for (const [at, unit] of units.entries()) {
      const place = `/passages/${index}${at === 0 ? '' : `/sentences/${at - 1}`}`;
      annotations.push(...annotationsOf(unit, place));
      isPlain &&= unit.annotations === undefined;
      relations += unit.relations?.length ?? 0;
    }
    const isSentence = !passage.text;
    const holders = isSentence ? (passage.sentences ?? []) : [passage];
    for (const { offset = 0, text } of holders)
      if (text) passages.push({ offset, text, place: `/passages/${index}`, isSentence });
  }
  const id = String(document.id ?? otherwise);
  return { id, passages, annotations, relations, isPlain, origin };
}

function annotationsOf({ annotations = [] }: Pick<JsonPassage, 'annotations'>, within: string) {
  return annotations.map(({ infons = {}, text, locations = [] }, index) => ({
    type: typeOfInfons(infons),
    text: text ?? undefined,
    locations,
    place: `${within}/annotations/${index}`,
  }));
}
