import { type TObject, Type } from 'typebox';
import { TacetError } from '../../../../proto/errors.js';
import { NATURAL } from '../../../../proto/schemas.js';
import type { TypeOf } from '../../../../proto/typed-schema.js';
import { type CodePoints, codePointsOf } from './code-points.js';
import { PresidioRefusal } from './presidio-error.js';
import { requireWholeCharacters } from './whole-characters.js';

/** Of the schema of a part. */
export const PART = {
  start: NATURAL,
  end: NATURAL,
  entity_type: Type.String({ minLength: 1, maxLength: 200 }),
};

/** A part of a text with its type; offsets count code points. */
export type TypedPart = TypeOf<TObject<typeof PART>>;

/** One in every 200 characters of the largest body that is taken. */
export const MOST_PARTS = 100_000;

export interface Rewritten {
  readonly text: string;
  /** Last first, as Presidio gives them. */
  readonly items: readonly RewrittenItem[];
}

interface RewrittenItem extends TypedPart {
  readonly text: string;
  readonly operator: string;
}

/**
 * Replaces the parts, in order and none overlapping another, by what `operate` makes of them. Throws
 * `request-invalid` for half of a surrogate pair.
 */
export function rewrite<P extends TypedPart>(
  text: string,
  points: CodePoints,
  parts: readonly P[],
  operate: (text: string, part: P) => { readonly text: string; readonly operator: string },
): Rewritten {
  requireWholeCharacters(text);
  const items: RewrittenItem[] = [];
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  const push = (piece: string, pointCount: number) => {
    pieces.push(piece);
    length += pointCount;
  };
  for (const part of parts) {
    const { start, end, entity_type } = part;
    push(text.slice(points.unitAt(from), points.unitAt(start)), start - from);
    const { text: instead, operator } = operate(
      text.slice(points.unitAt(start), points.unitAt(end)),
      part,
    );
    const at = length;
    push(instead, codePointsOf(instead));
    items.push({ start: at, end: length, entity_type, text: instead, operator });
    from = end;
  }
  push(text.slice(points.unitAt(from)), points.length - from);
  return { text: pieces.join(''), items: items.reverse() };
}

/** Throws `request-invalid`, with Presidio's words, for a part outside of the text. */
export function requireWithin(parts: readonly TypedPart[], length: number): void {
  for (const { start, end } of parts) {
    if (start < end && end <= length) continue;
    throw new TacetError(
      'request-invalid',
      `Invalid analyzer result, start: ${start} and end: ${end}, while text length is ${length}.`,
    );
  }
}

/** The operator of a type, or that under `DEFAULT`. Own keys alone count: a type may be called `constructor`. */
export function operatorFor<O>(
  type: string,
  operators: Readonly<Record<string, O>> | null | undefined,
): O | undefined {
  const given = operators ?? {};
  for (const name of [type, 'DEFAULT']) {
    const operator = Object.hasOwn(given, name) ? given[name] : undefined;
    if (operator) return operator;
  }
  return undefined;
}

/** Throws, with Presidio's words, for a request without anything in it. */
export function requireContent(request: unknown): void {
  const isEmpty =
    typeof request === 'object' && request !== null && Object.keys(request).length === 0;
  if (request === undefined || request === null || isEmpty)
    throw new PresidioRefusal('Invalid request json', 400);
}
