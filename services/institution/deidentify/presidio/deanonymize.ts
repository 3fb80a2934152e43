import { TacetError } from '../../../../proto/errors.js';
import { Type } from '../../../../proto/typebox.js';
import { mapOf, nullable, oneOf, type TypeOf } from '../../../../proto/typed-schema.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { decrypt } from './operators.js';
import {
  MOST_PARTS,
  operatorFor,
  PART,
  type Rewritten,
  requireContent,
  requirePart,
  requireWithin,
  rewrite,
} from './rewrite.js';

/** What `POST /deanonymize` can do. */
export const DEANONYMIZERS = ['decrypt', 'deanonymize_keep'] as const;

const DEANONYMIZE_REQUEST = Type.Object({
  text: Type.Optional(Type.String({ default: '' })),
  anonymizer_results: Type.Optional(
    Type.Array(Type.Object(PART), { default: [], maxItems: MOST_PARTS }),
  ),
  /** By entity type, or `DEFAULT`. */
  deanonymizers: Type.Optional(
    nullable(
      mapOf(Type.Object({ type: oneOf(DEANONYMIZERS), key: Type.Optional(Type.Unknown()) })),
    ),
  ),
});

/** Presidio's request to `POST /deanonymize`; offsets count code points. */
export type DeanonymizeRequest = TypeOf<typeof DEANONYMIZE_REQUEST> &
  Pick<Required<TypeOf<typeof DEANONYMIZE_REQUEST>>, 'text' | 'anonymizer_results'>;

const checkRequest = validator(DEANONYMIZE_REQUEST, 'request-invalid', 'the request');

/** As in Presidio, a request without a text is one about an empty text, and one without anything is refused. */
export const parseDeanonymizeRequest: Validator<DeanonymizeRequest> = Object.assign(
  (value: unknown) => {
    requireContent(value);
    const { anonymizer_results: parts } = value as { anonymizer_results?: unknown };
    if (Array.isArray(parts)) parts.forEach(requirePart);
    return { text: '', anonymizer_results: [], ...checkRequest({ ...(value as object) }) };
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
    const { type: operator, key } = deanonymizer;
    return { operator, text: operator === 'decrypt' ? decrypt(part, key) : part };
  });
}
