import { type Validator, validator } from '../../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { OPERATORS, type Operator } from './operators.js';
import { PresidioRefusal } from './presidio-error.js';
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

interface Finding extends TypedPart {
  readonly score: number;
}

/** Presidio's request to `POST /anonymize`; offsets count code points. */
export interface AnonymizeRequest {
  readonly text: string;
  readonly analyzer_results: readonly Finding[];
  /** By entity type, or `DEFAULT`. */
  readonly anonymizers?: Readonly<Record<string, Operator>> | null;
}

const checkRequest = validator<AnonymizeRequest>(
  {
    type: 'object',
    required: ['analyzer_results'],
    properties: {
      text: { type: 'string' },
      analyzer_results: {
        type: 'array',
        maxItems: MOST_PARTS,
        items: {
          type: 'object',
          required: ['start', 'end', 'score', 'entity_type'],
          properties: { ...PART_PROPERTIES, score: { type: 'number' } },
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

/** As in Presidio, a request without a text is one about an empty text; its `custom` operator is Python code. */
export const parseAnonymizeRequest: Validator<AnonymizeRequest> = Object.assign(
  (value: unknown) => {
    requireContent(value);
    const { text = '', ...rest } = value as Partial<AnonymizeRequest>;
    const operators: unknown[] = Object.values(rest.anonymizers ?? {});
    if (operators.some((each) => (each as { type?: unknown } | null)?.type === 'custom'))
      throw new PresidioRefusal('Custom type anonymizer is not supported', 400);
    return checkRequest({ ...rest, text });
  },
  { schema: checkRequest.schema },
);

const DEFAULT: Operator = { type: 'replace' };

/** Throws `request-invalid` for a finding outside of the text. */
export function anonymize({ text, analyzer_results, anonymizers }: AnonymizeRequest): Rewritten {
  const points = new CodePoints(text);
  requireWithin(analyzer_results, points.length);
  const operatorOf = ({ entity_type }: Finding) => operatorFor(entity_type, anonymizers) ?? DEFAULT;
  const isKept = (finding: Finding) => operatorOf(finding).type === 'keep';
  return rewrite(
    text,
    points,
    separate(mergeOverlaps(analyzer_results), isKept),
    (phi, finding) => {
      const { entity_type } = finding;
      const operator = operatorOf(finding);
      return {
        operator: operator.type,
        text: OPERATORS[operator.type](phi, entity_type, operator),
      };
    },
  );
}

/** Findings of one type that overlap as one, as sure as the surest of them. */
function mergeOverlaps(findings: readonly Finding[]): Finding[] {
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
 * The findings in order, none overlapping another, by Presidio's rules: a finding within another is dropped;
 * of two on the same characters the surer stays, or else the later; of two that overlap otherwise the first
 * ends where the second begins. Where the first alone is to be kept, the second begins where it ends, so that
 * only what the request keeps is left in the text.
 */
function separate(findings: readonly Finding[], isKept: (finding: Finding) => boolean): Finding[] {
  const inOrder = [...findings]
    .reverse()
    .sort((a, b) => a.start - b.start || b.end - a.end || b.score - a.score);
  const placed: Finding[] = [];
  let reached = 0;
  for (const finding of inOrder) {
    if (finding.end <= reached) continue;
    reached = finding.end;
    const before = placed.at(-1);
    if (!before || before.end <= finding.start) placed.push(finding);
    else if (isKept(before) && !isKept(finding)) placed.push({ ...finding, start: before.end });
    else placed.splice(-1, 1, { ...before, end: finding.start }, finding);
  }
  return placed;
}
