import { TacetError } from '../../../proto/errors.js';
import { validator } from '../../../proto/validator.js';
import { CodePoints, codePointsOf } from './code-points.js';
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
/** One in every 200 characters of the largest body that is taken. */
const MOST_FINDINGS = 100_000;

export const parseAnonymizeRequest = validator<AnonymizeRequest>(
  {
    type: 'object',
    required: ['text', 'analyzer_results'],
    properties: {
      text: { type: 'string', minLength: 1 },
      analyzer_results: {
        type: 'array',
        maxItems: MOST_FINDINGS,
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
  requireWithin(analyzer_results, points.length);
  const items: AnonymizedItem[] = [];
  const pieces: string[] = [];
  let length = 0;
  let from = 0;
  const push = (piece: string, pointCount: number) => {
    pieces.push(piece);
    length += pointCount;
  };
  for (const { start, end, entity_type } of disjoint(merged(analyzer_results))) {
    push(text.slice(points.unitAt(from), points.unitAt(start)), start - from);
    const operator = operatorOf(entity_type, anonymizers);
    const phi = text.slice(points.unitAt(start), points.unitAt(end));
    const instead = OPERATORS[operator.type](phi, entity_type, operator);
    const at = length;
    push(instead, codePointsOf(instead));
    items.push({ start: at, end: length, entity_type, text: instead, operator: operator.type });
    from = end;
  }
  push(text.slice(points.unitAt(from)), points.length - from);
  return { text: pieces.join(''), items: items.reverse() };
}

/** By own names alone: a type may be called `constructor`. */
function operatorOf(type: string, anonymizers: AnonymizeRequest['anonymizers']): Operator {
  const given = anonymizers ?? {};
  for (const name of [type, 'DEFAULT']) {
    const operator = Object.hasOwn(given, name) ? given[name] : undefined;
    if (operator) return operator;
  }
  return DEFAULT;
}

function requireWithin(findings: readonly Finding[], length: number): void {
  for (const { start, end } of findings) {
    if (start < end && end <= length) continue;
    throw new TacetError(
      'request-invalid',
      `Invalid analyzer result, start: ${start} and end: ${end}, while text length is ${length}.`,
    );
  }
}

/** Findings of one type that overlap as one, as sure as the surest of them. */
function merged(findings: readonly Finding[]): Finding[] {
  const latest = new Map<string, { -readonly [Key in keyof Finding]: Finding[Key] }>();
  const all: Finding[] = [];
  for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
    const before = latest.get(finding.entity_type);
    if (before && finding.start < before.end) {
      before.end = Math.max(before.end, finding.end);
      before.score = Math.max(before.score, finding.score);
      continue;
    }
    const copy = { ...finding };
    latest.set(finding.entity_type, copy);
    all.push(copy);
  }
  return all;
}

/**
 * In order, none within another. As in Presidio, a finding that lies within another is left to that
 * one, of two on the same characters the surer one stays, or the later one, and of two that overlap otherwise the first
 * ends where the second begins: nothing that was found is left in the text.
 */
function disjoint(findings: readonly Finding[]): Finding[] {
  const inOrder = [...findings]
    .reverse()
    .sort((a, b) => a.start - b.start || b.end - a.end || b.score - a.score);
  const placed: Finding[] = [];
  let reached = 0;
  for (const finding of inOrder) {
    if (finding.end <= reached) continue;
    reached = finding.end;
    const before = placed.at(-1);
    if (before && before.end > finding.start)
      placed[placed.length - 1] = { ...before, end: finding.start };
    placed.push(finding);
  }
  return placed;
}
