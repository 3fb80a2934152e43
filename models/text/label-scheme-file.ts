import { TacetError } from '../../proto/errors.js';
import { jsonCheck } from '../../proto/json-check.js';
import { jsonIn } from '../../proto/json-text.js';

/** A label scheme as it is written in a file. */
export interface LabelSchemeFile {
  readonly name: string;
  readonly version: string;
  /** What the scheme is for and where its types come from. */
  readonly description: string;
  readonly types: readonly string[];
  readonly map: Readonly<Record<string, string | null>>;
  /** Those of `types` whose entities say what something is and name nobody directly. */
  readonly describes?: readonly string[];
  /** Why a type maps to null, or to a type that one would not expect. */
  readonly reasons?: Readonly<Record<string, string>>;
}

/** Label ids are bytes and a type takes two of them beside `O`. */
const MAX_TYPES = 127;
const TYPE = { type: 'string', pattern: '^[A-Za-z0-9_:.-]{1,64}$' };

const validate = jsonCheck<LabelSchemeFile>(
  {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'version', 'description', 'types', 'map'],
    properties: {
      name: { type: 'string', pattern: '^[a-z0-9-]{1,64}$' },
      version: { type: 'string', minLength: 1 },
      description: { type: 'string' },
      types: { type: 'array', items: TYPE, minItems: 1, maxItems: MAX_TYPES, uniqueItems: true },
      map: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
      describes: { type: 'array', items: TYPE, maxItems: MAX_TYPES, uniqueItems: true },
      reasons: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  { allErrors: false },
);

/** Parses a scheme file; `config-invalid` names the field that is wrong. */
export function parseLabelScheme(json: string, origin: string): LabelSchemeFile {
  const invalid = (problem: string) =>
    new TacetError('config-invalid', `label scheme ${origin}: ${problem}`);
  const value = jsonIn(json);
  if (value === undefined) throw invalid('expected a JSON object');
  if (!validate(value)) {
    const [error] = validate.errors;
    throw invalid(`${error?.instancePath || 'the file'} ${error?.message ?? 'is malformed'}`);
  }
  for (const [from, to] of Object.entries(value.map)) {
    if (to !== null && !value.types.includes(to))
      throw invalid(`type ${from} maps to ${to}, which is not among its types`);
  }
  for (const type of value.describes ?? []) {
    if (!value.types.includes(type))
      throw invalid(`describes names ${type}, which is not among its types`);
  }
  return value;
}
