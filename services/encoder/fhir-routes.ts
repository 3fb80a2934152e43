import { Type } from 'typebox';
import type { TacetError } from '../../proto/errors.js';
import { validator } from '../../proto/validator.js';
import { type ErrorAnswer, type Route, route } from '../http/route.js';
import {
  deidentifyResource,
  resourceOf,
} from '../institution/deidentify/records/fhir/deidentify-resource.js';
import { RecordContext } from '../institution/deidentify/records/record-context.js';
import { RecordCounts } from '../institution/deidentify/records/record-counts.js';
import { Renaming } from '../institution/deidentify/records/renaming.js';
import { editsOf } from '../institution/deidentify/records/text-edits.js';
import type { EncoderService } from './encoder-service.js';

const FHIR_JSON = 'application/fhir+json';

const parseResource = validator(
  Type.Object({ resourceType: Type.String({ minLength: 1, maxLength: 64 }) }),
  'record-invalid',
  'the resource',
);

/**
 * The operation `$de-identify` (FHIR R4 and R5, section 3.2, Operations): a resource, or Parameters with one
 * as `resource`, is answered without PHI. Identifiers are renamed alike in one request and never again.
 */
export function fhirRoutes(service: EncoderService): Route[] {
  return ['/$de-identify', '/fhir/$de-identify'].map((path) =>
    route({
      method: 'post',
      path,
      summary: 'FHIR operation: a resource or Bundle without PHI; errors as OperationOutcome',
      body: parseResource,
      answer: { media: [FHIR_JSON] },
      errorAnswer: operationOutcome,
      handle: async ({ body, signal, response }) => {
        const { threshold } = service.options;
        const how = { treatment: 'tag', threshold } as const;
        const edit = async (text: string) =>
          editsOf(await service.deidentify({ id: 'text', text, spans: [] }, how, signal));
        const context = new RecordContext(edit, new Renaming(), new RecordCounts());
        const clean = await deidentifyResource(resourceOf(body), context, 'the resource');
        response.type(FHIR_JSON);
        return clean;
      },
    }),
  );
}

/** What went wrong, in the words of FHIR (`issue-type`). */
function operationOutcome(_error: unknown, expected: TacetError): ErrorAnswer {
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
