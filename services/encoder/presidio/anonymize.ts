import { TacetError } from '../../../proto/errors.js';
import { validator } from '../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { OPERATORS, type Operator } from './operators.js';

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly entity_type: string;
}

/** Presidio's request to `POST /anonymize`; offsets count code points. */
export interface AnonymizeRequest {
  readonly text: string;
  readonly analyzer_results: readonly Finding[];
  /** By entity type, or `DEFAULT`. */
  readonly anonymizers?: Readonly<Record<string, Operator>> | null;
}

export interface AnonymizeResponse {
  readonly text: string;
  /** Last first, as Presidio gives them. */
  readonly items: readonly AnonymizedItem[];
}

interface AnonymizedItem {
  readonly start: number;
  readonly end: number;
  readonly entity_type: string;
  readonly text: string;
  readonly operator: string;
}

const OFFSET = { type: 'integer', minimum: 0 } as const;

export const parseAnonymizeRequest = validator<AnonymizeRequest>(
  {
    type: 'object',
    required: ['text', 'analyzer_results'],
    properties: {
      text: { type: 'string', minLength: 1 },
      analyzer_results: {
        type: 'array',
        maxItems: 1_000_000,
        items: {
          type: 'object',
          required: ['start', 'end', 'score', 'entity_type'],
          properties: {
            start: OFFSET,
            end: OFFSET,
            score: { type: 'number' },
            entity_type: { type: 'string', minLength: 1, maxLength: 200 },
          },
        },
      },
      anonymizers: {
        type: 'object',
        nullable: true,
        additionalProperties: {
          type: 'object',
          required: ['type'],
          properties: {
            type: { type: 'string', enum: Object.keys(OPERATORS) },
            new_value: { type: 'string' },
            masking_char: { type: 'string', minLength: 1, maxLength: 2 },
            chars_to_mask: { type: 'integer' },
            from_end: { type: 'boolean' },
            hash_type: { type: 'string', enum: ['sha256', 'sha512'] },
            key: { type: 'string' },
          },
        },
      },
    },
  },
  'request-invalid',
  'the request',
);

const DEFAULT: Operator = { type: 'replace' };

/** Throws `request-invalid` for a finding outside of the text. */
export function anonymize({
  text,
  analyzer_results,
  anonymizers,
}: AnonymizeRequest): AnonymizeResponse {
  const points = new CodePoints(text);
  const items: AnonymizedItem[] = [];
  let anonymized = '';
  let length = 0;
  let from = 0;
  const push = (piece: string) => {
    anonymized += piece;
    length += [...piece].length;
  };
  for (const { start, end, entity_type } of disjoint(analyzer_results, points.length)) {
    push(text.slice(points.unitAt(from), points.unitAt(start)));
    const operator = anonymizers?.[entity_type] ?? anonymizers?.DEFAULT ?? DEFAULT;
    const phi = text.slice(points.unitAt(start), points.unitAt(end));
    const instead = OPERATORS[operator.type](phi, entity_type, operator);
    const at = length;
    push(instead);
    items.unshift({ start: at, end: length, entity_type, text: instead, operator: operator.type });
    from = end;
  }
  push(text.slice(points.unitAt(from)));
  return { text: anonymized, items };
}

/**
 * In order, none within another. Of two that overlap, the surer one stays whole and the other keeps
 * what sticks out, so that nothing that was found is left in the text.
 */
function disjoint(findings: readonly Finding[], length: number): Finding[] {
  for (const { start, end } of findings) {
    if (start < end && end <= length) continue;
    throw new TacetError(
      'request-invalid',
      `Invalid analyzer result, start: ${start} and end: ${end}, while text length is ${length}.`,
    );
  }
  const surest = [...findings].sort(
    (a, b) => b.score - a.score || b.end - b.start - (a.end - a.start),
  );
  const placed: Finding[] = [];
  for (const finding of surest) placed.push(...outside(finding, placed));
  return placed.sort((a, b) => a.start - b.start);
}

/** The parts of a finding that no other covers. */
function outside(finding: Finding, others: readonly Finding[]): Finding[] {
  let parts = [finding];
  for (const { start, end } of others) {
    parts = parts.flatMap((part) =>
      [
        { ...part, end: Math.min(part.end, start) },
        { ...part, start: Math.max(part.start, end) },
      ].filter((rest) => rest.start < rest.end),
    );
  }
  return parts;
}
