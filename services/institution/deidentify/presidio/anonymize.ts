import { Type } from 'typebox';
import { mapOf, nullable, type TypeOf } from '../../../../proto/typed-schema.js';
import { type Validator, validator } from '../../../../proto/validator.js';
import { CodePoints } from './code-points.js';
import { OPERATOR, OPERATORS, type Operator } from './operators.js';
import { PresidioRefusal } from './presidio-error.js';
import {
  MOST_PARTS,
  operatorFor,
  PART,
  type Rewritten,
  requireContent,
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
    const operators: unknown[] = Object.values(request.anonymizers ?? {});
    if (operators.some((each) => (each as { type?: unknown } | null)?.type === 'custom'))
      throw new PresidioRefusal('Custom type anonymizer is not supported', 400);
    return { text: '', ...checkRequest(request) };
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
