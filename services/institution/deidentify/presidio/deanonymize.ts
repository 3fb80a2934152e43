import { TacetError } from '../../../../proto/errors.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { decrypt } from './operators.js';
import {
  MOST_PARTS,
  operatorFor,
  PART_PROPERTIES,
  type Rewritten,
  requireContent,
  requireWithin,
  rewrite,
  type TypedPart,
} from './rewrite.js';

interface Deanonymizer {
  readonly type: 'decrypt' | 'deanonymize_keep';
  readonly key?: string;
}

/** What `POST /deanonymize` can do. */
export const DEANONYMIZERS = ['decrypt', 'deanonymize_keep'] as const;

/** Presidio's request to `POST /deanonymize`; offsets count code points. */
export interface DeanonymizeRequest {
  readonly text: string;
  readonly anonymizer_results: readonly TypedPart[];
  /** By entity type, or `DEFAULT`. */
  readonly deanonymizers?: Readonly<Record<string, Deanonymizer>> | null;
}

const checkRequest = validator<DeanonymizeRequest>(
  {
    type: 'object',
    properties: {
      text: { type: 'string', default: '' },
      anonymizer_results: {
        type: 'array',
        default: [],
        maxItems: MOST_PARTS,
        items: {
          type: 'object',
          required: ['start', 'end', 'entity_type'],
          properties: PART_PROPERTIES,
        },
      },
      deanonymizers: {
        type: 'object',
        nullable: true,
        additionalProperties: {
          type: 'object',
          required: ['type'],
          properties: { type: { type: 'string', enum: DEANONYMIZERS }, key: { type: 'string' } },
        },
      },
    },
  },
  'request-invalid',
  'the request',
);

/** As in Presidio, a request without a text is one about an empty text, and one without anything is refused. */
export const parseDeanonymizeRequest: Validator<DeanonymizeRequest> = Object.assign(
  (value: unknown) => {
    requireContent(value);
    const { text = '', anonymizer_results = [], ...rest } = value as Partial<DeanonymizeRequest>;
    return checkRequest({ ...rest, text, anonymizer_results });
  },
  { schema: checkRequest.schema },
);

/** Throws `request-invalid` for overlapping parts, a wrong key, and a part that nothing was encrypted in. */
export function deanonymize({
  text,
  anonymizer_results,
  deanonymizers,
}: DeanonymizeRequest): Rewritten {
  const points = new CodePoints(text);
  requireWithin(anonymizer_results, points.length);
  const parts = [...anonymizer_results].sort((a, b) => a.start - b.start);
  if (parts.some(({ start }, i) => start < (parts[i - 1]?.end ?? 0)))
    throw new TacetError('request-invalid', 'Invalid input, two anonymizer results overlap');
  return rewrite(text, points, parts, (part, { entity_type }) => {
    const deanonymizer = operatorFor(entity_type, deanonymizers);
    if (!deanonymizer)
      throw new TacetError(
        'request-invalid',
        'Invalid input, deanonymizers must name an operator for each type, or DEFAULT',
      );
    const { type: operator, key = '' } = deanonymizer;
    return { operator, text: operator === 'decrypt' ? decrypt(part, key) : part };
  });
}
