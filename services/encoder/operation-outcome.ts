import type { TacetError } from '../../proto/errors.js';
import { Type } from '../../proto/typebox.js';
import type { ErrorAnswer } from '../http/route.js';

const ISSUE = Type.Object({
  severity: Type.Literal('error'),
  code: Type.String(),
  details: Type.Object({ text: Type.String() }),
  diagnostics: Type.String(),
});

/** Of what `operationOutcome` answers (FHIR R4 and R5, OperationOutcome). */
export const OPERATION_OUTCOME = Type.Object(
  {
    resourceType: Type.Literal('OperationOutcome'),
    issue: Type.Array(ISSUE, { minItems: 1 }),
  },
  { title: 'OperationOutcome' },
);

/** What went wrong, in the words of FHIR (`issue-type`). */
export function operationOutcome(_error: unknown, expected: TacetError): ErrorAnswer {
  const { status, code, message } = expected;
  const issue = {
    severity: 'error',
    code: ISSUE_CODES[code] ?? (status >= 500 ? 'exception' : 'processing'),
    details: { text: code },
    diagnostics: message,
  };
  return { status, body: { resourceType: 'OperationOutcome', issue: [issue] } };
}

const ISSUE_CODES: Readonly<Record<string, string>> = {
  'record-invalid': 'structure',
  'record-unsupported': 'not-supported',
  'request-invalid': 'structure',
  'body-too-large': 'too-long',
  'not-found': 'not-found',
  'model-revoked': 'business-rule',
  unauthorized: 'login',
  interrupted: 'transient',
};
