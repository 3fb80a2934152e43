import { TacetError } from '../../../../proto/errors.js';
import { NATURAL } from '../../../../proto/schemas.js';
import { type TObject, Type } from '../../../../proto/typebox.js';
import { closedObject, type TypeOf } from '../../../../proto/typed-schema.js';
import { type CodePoints, codePointsOf } from './code-points.js';
import { refusal, requireField, requireType } from './operator-parameters.js';
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

/** As many as the largest body that is taken has bytes; a long replacement stands once for each part. */
const MOST_CHARACTERS = 64 * 2 ** 20;

const ITEM = closedObject(
  { ...PART, text: Type.String(), operator: Type.String() },
  { title: 'OperatorResult' },
);
type RewrittenItem = TypeOf<typeof ITEM>;

export const REWRITTEN = closedObject(
  {
    text: Type.String(),
    /** Last first, as Presidio gives them. */
    items: Type.Array(ITEM),
  },
  { title: 'Rewritten' },
);
export type Rewritten = TypeOf<typeof REWRITTEN>;

/**
 * Replaces the parts, in order and none within another, by what `operate` makes of each; of two that overlap, each
 * is made of the whole of its own characters, as in Presidio. Throws `request-invalid` for half of a surrogate pair, and
 * for a text that would become longer than any that is taken.
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
    if (length > MOST_CHARACTERS)
      throw refusal(
        `Invalid input, the text would have more than ${MOST_CHARACTERS} characters; send shorter replacements`,
      );
  };
  for (const part of parts) {
    const { start, end, entity_type } = part;
    if (start > from) push(text.slice(points.unitAt(from), points.unitAt(start)), start - from);
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
    if (end <= length) continue;
    throw new TacetError(
      'request-invalid',
      `Invalid analyzer result, start: ${start} and end: ${end}, while text length is only ${length}.`,
    );
  }
}

/** Throws `request-invalid`, with Presidio's words, for a part that lacks something or ends before it begins. */
export function requirePart(part: unknown): void {
  const { start, end, entity_type } = (part ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries({ start, end })) {
    requireField(value, 'result', name);
    requireType(value, name, 'number');
  }
  requireField(entity_type, 'result', 'entity_type');
  const [from, to] = [Number(start), Number(end)];
  if (from < 0 || to < 0) throw refusal('Invalid input, result start and end must be positive');
  if (from > to)
    throw refusal(`Invalid input, start index '${from}' must be smaller than end index '${to}'`);
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
