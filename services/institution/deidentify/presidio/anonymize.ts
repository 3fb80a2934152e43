import { Type } from '../../../../proto/typebox.js';
import { mapOf, nullable, type TypeOf } from '../../../../proto/typed-schema.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { refusal, requireField } from './operator-parameters.js';
import { OPERATOR, type Operator, operatorNamed } from './operators.js';
import { PresidioRefusal } from './presidio-error.js';
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

const FINDING = Type.Object({ ...PART, score: Type.Number() });
type Finding = TypeOf<typeof FINDING>;

const ANONYMIZE_REQUEST = Type.Object({
  text: Type.Optional(Type.String()),
  analyzer_results: Type.Array(FINDING, { maxItems: MOST_PARTS }),
  /** By entity type, or `DEFAULT`. */
  anonymizers: Type.Optional(nullable(mapOf(OPERATOR))),
});

/** Presidio's request to `POST /anonymize`; offsets count code points. */
export type AnonymizeRequest = TypeOf<typeof ANONYMIZE_REQUEST> & { readonly text: string };

const checkRequest = validator(ANONYMIZE_REQUEST, 'request-invalid', 'the request');

/** As in Presidio, a request without a text is one about an empty text; its `custom` operator is Python code. */
export const parseAnonymizeRequest: Validator<AnonymizeRequest> = Object.assign(
  (value: unknown) => {
    requireContent(value);
    const request = { ...(value as Partial<AnonymizeRequest>) };
    for (const operator of Object.values(request.anonymizers ?? {})) {
      const { type } = (operator ?? {}) as { type?: unknown };
      requireField(type, 'operator config', 'operator_name');
      if (type === 'custom')
        throw new PresidioRefusal('Custom type anonymizer is not supported', 400);
    }
    requireFindings(request.analyzer_results);
    return { text: '', ...checkRequest(request) };
  },
  { schema: checkRequest.schema },
);

/** Throws `request-invalid`, with Presidio's words, for a finding that lacks something. */
function requireFindings(findings: unknown): void {
  if (findings === undefined || findings === null)
    throw refusal('Invalid input, request must contain analyzer results');
  if (!Array.isArray(findings)) return;
  for (const finding of findings) {
    requirePart(finding);
    requireField((finding as { score?: unknown }).score, 'analyzer result', 'score');
  }
}

const DEFAULT: Operator = { type: 'replace' };

/** Throws `request-invalid` for a finding outside of the text. */
export function anonymize({ text, analyzer_results, anonymizers }: AnonymizeRequest): Rewritten {
  const points = new CodePoints(text);
  requireWithin(analyzer_results, points.length);
  const operatorOf = ({ entity_type }: Finding) => operatorFor(entity_type, anonymizers) ?? DEFAULT;
  return rewrite(text, points, outermost(mergeOverlaps(analyzer_results)), (phi, finding) => {
    const operator = operatorOf(finding);
    const { type } = operator;
    return { operator: type, text: operatorNamed(type)(phi, finding.entity_type, operator) };
  });
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
 * The findings in order, by Presidio's rules: one within another is dropped, and of two on the same characters the
 * surer stays, or else the later.
 */
function outermost(findings: readonly Finding[]): Finding[] {
  const inOrder = [...findings]
    .reverse()
    .sort((a, b) => a.start - b.start || b.end - a.end || b.score - a.score);
  let reached = 0;
  return inOrder.filter(({ end }) => {
    if (end <= reached) return false;
    reached = end;
    return true;
  });
}
