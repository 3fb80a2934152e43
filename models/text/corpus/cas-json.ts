import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import { type CasAnnotation, type CasSofa, rawCasDocument } from './cas-document.js';
import { CasOffsets, OFFSET_ENCODINGS, type OffsetEncoding } from './cas-offsets.js';
import { checkedJson } from './checked-json.js';
import type { RawDocument } from './raw-document.js';

type Fields = Readonly<Record<string, unknown>>;

export interface FeatureStructure extends Fields {
  readonly '%TYPE': string;
  readonly '%ID'?: number | string;
}

export interface CasFile {
  /** What offsets count where they are no UTF-16 units. */
  readonly '%HEADER'?: { readonly 'offset-encoding'?: OffsetEncoding };
  readonly '%TYPES'?: Readonly<Record<string, Fields>>;
  /** A list, or an object by id, which serialisers may choose. */
  readonly '%FEATURE_STRUCTURES':
    | readonly FeatureStructure[]
    | Readonly<Record<string, FeatureStructure>>;
}

/** Numbers, also as the keys of an object. */
const ID = { type: ['integer', 'string'], minimum: 0, pattern: '^[0-9]{1,10}$' };

const STRUCTURE = {
  type: 'object',
  required: ['%TYPE'],
  properties: {
    '%TYPE': { type: 'string' },
    '%ID': ID,
    '@sofa': ID,
    begin: { type: 'integer', minimum: 0 },
    end: { type: 'integer', minimum: 0 },
  },
};

const isCas = jsonCheck<CasFile>(
  {
    type: 'object',
    required: ['%FEATURE_STRUCTURES'],
    properties: {
      '%HEADER': {
        type: 'object',
        properties: { 'offset-encoding': { enum: OFFSET_ENCODINGS } },
      },
      '%TYPES': { type: 'object', additionalProperties: { type: 'object' } },
      '%FEATURE_STRUCTURES': {
        type: ['array', 'object'],
        items: STRUCTURE,
        propertyNames: { pattern: ID.pattern },
        additionalProperties: STRUCTURE,
      },
    },
  },
  { allowUnionTypes: true, strictTypes: false },
);

const SOFA = 'uima.cas.Sofa';
const EXPECTED = 'UIMA CAS JSON 0.4.0, {"%TYPES", "%FEATURE_STRUCTURES", "%VIEWS"}';

/** A document of UIMA CAS JSON 0.4.0. Throws `corpus-invalid`. */
export function parseCasJson(json: string, id: string, origin: string): RawDocument {
  const file = parseCasFile(json, origin);
  const structures = structuresOf(file);
  const sofas = structures.flatMap(({ own, place }): CasSofa[] => {
    if (own['%TYPE'] !== SOFA || typeof own.sofaString !== 'string') return [];
    return [{ id: String(own['%ID'] ?? place), view: String(own.sofaID), text: own.sofaString }];
  });
  const offsets = new Map(sofas.map((sofa) => [sofa.id, offsetsIn(sofa.text, file)]));
  const annotations = structures.flatMap(({ own, place }): CasAnnotation[] => {
    if (typeof own.begin !== 'number' || typeof own.end !== 'number') return [];
    if (own['@sofa'] === undefined) return [];
    const sofa = String(own['@sofa']);
    const at = (offset: number): number => {
      const counting = offsets.get(sofa);
      const utf16 = counting === undefined ? offset : counting.utf16(offset);
      if (utf16 !== undefined) return utf16;
      const expected =
        'expected offsets between two characters of the text, as the header counts them';
      throw new TacetError('corpus-invalid', `${origin}: ${place}: ${expected}`);
    };
    const places = { begin: at(own.begin), end: at(own.end) };
    return [{ layer: own['%TYPE'], sofa, ...places, features: stringsOf(own), place }];
  });
  return rawCasDocument({ sofas, annotations, features: declaredFeatures(file) }, id, origin);
}

/** What a file holds. Throws `corpus-invalid`. */
export function parseCasFile(json: string, origin: string): CasFile {
  return checkedJson(json, isCas, origin, EXPECTED);
}

/** How a file counts the offsets in a text of its. */
export function offsetsIn(text: string, file: CasFile): CasOffsets {
  return new CasOffsets(text, file['%HEADER']?.['offset-encoding'] ?? 'UTF-16');
}

function structuresOf(file: CasFile): { own: FeatureStructure; place: string }[] {
  const all = file['%FEATURE_STRUCTURES'];
  return Object.entries(all).map(([key, own]: [string, FeatureStructure], index) => ({
    own: Array.isArray(all) ? own : { ...own, '%ID': key },
    place: `/%FEATURE_STRUCTURES/${index}`,
  }));
}

function stringsOf(structure: FeatureStructure): Record<string, string> {
  return Object.fromEntries(
    Object.entries(structure).filter(
      (entry): entry is [string, string] => /^\w/.test(entry[0]) && typeof entry[1] === 'string',
    ),
  );
}

/** The features of each type that hold strings. */
function declaredFeatures({ '%TYPES': types = {} }: CasFile): ReadonlyMap<string, string[]> {
  return new Map(
    Object.entries(types).map(([type, features]) => [
      type,
      Object.entries(features).flatMap(([name, feature]) => {
        const range = (feature as Fields | null)?.['%RANGE'];
        return range === 'uima.cas.String' ? [name] : [];
      }),
    ]),
  );
}
