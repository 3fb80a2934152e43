import { Type } from 'typebox';
import { validator } from '../../proto/validator.js';
import { type Route, route } from '../http/route.js';
import {
  deidentifyResource,
  resourceOf,
} from '../institution/deidentify/records/fhir/deidentify-resource.js';
import { RecordContext } from '../institution/deidentify/records/record-context.js';
import { RecordCounts } from '../institution/deidentify/records/record-counts.js';
import { Renaming } from '../institution/deidentify/records/renaming.js';
import { editsOf } from '../institution/deidentify/records/text-edits.js';
import type { EncoderService } from './encoder-service.js';
import { OPERATION_OUTCOME, operationOutcome } from './operation-outcome.js';

const FHIR_JSON = 'application/fhir+json';

const RESOURCE = Type.Object(
  { resourceType: Type.String({ minLength: 1, maxLength: 64 }) },
  { title: 'Resource', additionalProperties: true },
);
const parseResource = validator(RESOURCE, 'record-invalid', 'the resource');

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
      jsonType: FHIR_JSON,
      answer: { json: RESOURCE },
      errors: OPERATION_OUTCOME,
      errorAnswer: operationOutcome,
      handle: async ({ body, signal }) => {
        const { threshold } = service.options;
        const how = { treatment: 'tag', threshold } as const;
        const edit = async (text: string) =>
          editsOf(await service.deidentify({ id: 'text', text, spans: [] }, how, signal));
        const context = new RecordContext(edit, new Renaming(), new RecordCounts());
        return deidentifyResource(resourceOf(body), context, 'the resource');
      },
    }),
  );
}
