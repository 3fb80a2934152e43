import { Type } from '../../proto/typebox.js';
import { validator } from '../../proto/validator.js';
import { NO_PROXIES } from '../http/client-address.js';
import { ownOrigin } from '../http/own-origin.js';
import { type Route, route } from '../http/route.js';
import { deidentifyResource } from '../institution/deidentify/records/fhir/deidentify-resource.js';
import { RecordContext } from '../institution/deidentify/records/record-context.js';
import { RecordCounts } from '../institution/deidentify/records/record-counts.js';
import { Renaming } from '../institution/deidentify/records/renaming.js';
import { type EditText, editsOf } from '../institution/deidentify/records/text-edits.js';
import type { EncoderService } from './encoder-service.js';
import {
  capabilityStatement,
  definitionPath,
  type NamedOperation,
  OPERATIONS,
  operationDefinition,
} from './fhir-capabilities.js';
import { operationOf } from './fhir-operation.js';
import { OPERATION_OUTCOME, operationOutcome } from './operation-outcome.js';

const FHIR_JSON = 'application/fhir+json';

/** Below which addresses all of it is. */
const BASES = ['', '/fhir'] as const;

const RESOURCE = Type.Object(
  { resourceType: Type.String({ minLength: 1, maxLength: 64 }) },
  { title: 'Resource', additionalProperties: true },
);
const parseResource = validator(RESOURCE, 'record-invalid', 'the resource');

/**
 * The operation `$de-identify` (FHIR R4 and R5, section 3.2, Operations): a resource, or Parameters with one
 * as `resource`, or as HL7's guide DARTS has it, is answered without PHI. Identifiers are renamed alike in one request and never again.
 */
export function fhirRoutes(service: EncoderService): Route[] {
  return [...OPERATIONS.flatMap((each) => operationRoutes(service, each)), ...capabilityRoutes()];
}

/** What a client of FHIR asks first (R4 and R5, section 3.1, `capabilities`), and what it refers to. */
function capabilityRoutes(): Route[] {
  const since = new Date().toISOString();
  const described = BASES.flatMap((base) => [
    {
      ...{
        base,
        path: '/metadata',
        summary: 'FHIR CapabilityStatement: the operations that are offered',
      },
      describe: (address: string) => capabilityStatement(address, since),
    },
    ...OPERATIONS.map((each) => ({
      ...{ base, path: definitionPath(each), summary: `FHIR OperationDefinition of $${each.name}` },
      describe: (address: string) => operationDefinition(address, each),
    })),
  ]);
  return described.map(({ base, path, summary, describe }) =>
    route({
      ...{ method: 'get', path: `${base}${path}`, summary },
      ...{ jsonType: FHIR_JSON, answer: { json: RESOURCE } },
      ...{ errors: OPERATION_OUTCOME, errorAnswer: operationOutcome },
      handle: ({ request }) => describe(`${ownOrigin(request, NO_PROXIES)}${base}`),
    }),
  );
}

function operationRoutes(service: EncoderService, { name, answerName }: NamedOperation): Route[] {
  return BASES.map((base) =>
    route({
      method: 'post',
      path: `${base}/$${name}`,
      summary: 'FHIR operation: a resource or Bundle without PHI; errors as OperationOutcome',
      body: parseResource,
      jsonType: FHIR_JSON,
      answer: { json: RESOURCE },
      errors: OPERATION_OUTCOME,
      errorAnswer: operationOutcome,
      handle: async ({ body, signal }) => {
        const { resource, treatment, answer } = operationOf(body, answerName);
        const { threshold } = service.options;
        const edit: EditText = async (text, shift) => {
          const how = { treatment, threshold, shift };
          return editsOf(await service.deidentify({ id: 'text', text, spans: [] }, how, signal));
        };
        const context = new RecordContext(edit, new Renaming(), new RecordCounts(), signal);
        return answer(await deidentifyResource(resource, context, 'the resource'));
      },
    }),
  );
}
