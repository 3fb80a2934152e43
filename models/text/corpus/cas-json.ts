import { jsonCheck } from '../../../proto/json-check.js';
import { type CasAnnotation, type CasSofa, rawCasDocument } from './cas-document.js';
import { checkedJson } from './checked-json.js';
import type { RawDocument } from './raw-document.js';

type Fields = Readonly<Record<string, unknown>>;

export interface FeatureStructure extends Fields {
  readonly '%TYPE': string;
  readonly '%ID'?: number | string;
}

export interface CasFile {
  readonly '%TYPES'?: Readonly<Record<string, Fields>>;
  /** A list, or an object by id, which serialisers may choose. */
  readonly '%FEATURE_STRUCTURES':
    | readonly FeatureStructure[]
    | Readonly<Record<string, FeatureStructure>>;
}

const STRUCTURE = {
  type: 'object',
  required: ['%TYPE'],
  properties: {
    '%TYPE': { type: 'string' },
    '%ID': { type: ['integer', 'string'] },
    '@sofa': { type: ['integer', 'string'] },
    begin: { type: 'integer', minimum: 0 },
    end: { type: 'integer', minimum: 0 },
  },
};

const isCas = jsonCheck<CasFile>(
  {
    type: 'object',
    required: ['%FEATURE_STRUCTURES'],
    properties: {
      '%TYPES': { type: 'object', additionalProperties: { type: 'object' } },
      '%FEATURE_STRUCTURES': {
        type: ['array', 'object'],
        items: STRUCTURE,
        additionalProperties: STRUCTURE,
      },
    },
  },
  { allowUnionTypes: true, strictTypes: false },
);

const SOFA = 'uima.cas.Sofa';
const EXPECTED = 'UIMA CAS JSON 0.4.0, {"%TYPES", "%FEATURE_STRUCTURES", "%VIEWS"}';

/** A document of UIMA CAS JSON 0.4.0, whose offsets count UTF-16 units. Throws `corpus-invalid`. */
export function parseCasJson(json: string, id: string, origin: string): RawDocument {
  const file = parseCasFile(json, origin);
  const structures = structuresOf(file);
  const sofas = structures.flatMap(({ own, place }): CasSofa[] => {
    if (own['%TYPE'] !== SOFA || typeof own.sofaString !== 'string') return [];
    return [{ id: String(own['%ID'] ?? place), view: String(own.sofaID), text: own.sofaString }];
  });
  const annotations = structures.flatMap(({ own, place }): CasAnnotation[] => {
    const { begin, end, '@sofa': sofa } = own;
    if (typeof begin !== 'number' || typeof end !== 'number' || sofa === undefined) return [];
    const layer = own['%TYPE'];
    return [{ layer, sofa: String(sofa), begin, end, features: stringsOf(own), place }];
  });
  return rawCasDocument({ sofas, annotations, features: declaredFeatures(file) }, id, origin);
}

/** What a file holds. Throws `corpus-invalid`. */
export function parseCasFile(json: string, origin: string): CasFile {
  return checkedJson(json, isCas, origin, EXPECTED);
}

function structuresOf(file: CasFile): { own: FeatureStructure; place: string }[] {
  const all = file['%FEATURE_STRUCTURES'];
  return Object.entries(all).map(([key, own]: [string, FeatureStructure], index) => ({
    own: Array.isArray(all) ? own : { '%ID': key, ...own },
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
