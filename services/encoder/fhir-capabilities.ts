import { DEIDENTIFY_POLICIES } from './fhir-operation.js';

/** A name of the operation, and what its answer is called in the Parameters of HL7's guide DARTS. */
export interface NamedOperation {
  readonly name: string;
  readonly answerName: string;
}

/** Its own name, and that of the guide's drafts. */
export const OPERATIONS: readonly NamedOperation[] = [
  { name: 'de-identify', answerName: 'de-identifiedData' },
  { name: 'deidentify', answerName: 'deidentifiedData' },
];

/** Where an operation is defined, below the address of the service. */
export const definitionPath = ({ name }: NamedOperation) => `/OperationDefinition/${name}`;

const ALIKE =
  'Identifiers are renamed alike in one request and never again, and dates are moved; nothing is stored.';

/**
 * What the service at `base` offers (FHIR R4, CapabilityStatement, of kind `instance`); `since` is when it began
 * to, in ISO 8601.
 */
export function capabilityStatement(base: string, since: string): object {
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: since,
    kind: 'instance',
    software: { name: 'Tacet' },
    implementation: { description: 'De-identification of health records', url: base },
    fhirVersion: '4.0.1',
    format: ['application/fhir+json', 'json'],
    rest: [
      {
        mode: 'server',
        documentation:
          'Operations alone, on resources of R4, R4B and R5. Nothing is stored or searched.',
        security: {
          description:
            'A bearer token where the service was given one; otherwise callers of its own machine alone.',
        },
        operation: OPERATIONS.map((operation) => ({
          name: operation.name,
          definition: `${base}${definitionPath(operation)}`,
        })),
      },
    ],
  };
}

/** What `POST [base]/$de-identify` takes and answers (FHIR R4, OperationDefinition). */
export function operationDefinition(base: string, operation: NamedOperation): object {
  const { name, answerName } = operation;
  const parameter = (of: string, use: 'in' | 'out', type: string, documentation: string) => ({
    ...{ name: of, use, min: 0, max: '1', documentation, type },
  });
  return {
    resourceType: 'OperationDefinition',
    id: name,
    url: `${base}${definitionPath(operation)}`,
    name: name === 'de-identify' ? 'DeIdentify' : 'Deidentify',
    status: 'active',
    kind: 'operation',
    description: `Takes protected health information out of a resource. ${ALIKE}`,
    affectsState: false,
    code: name,
    comment:
      'A resource may be sent as it is, or as "resource"; both are answered by that resource alone. Parameters with ' +
      `"identifiableData" and "policy" are answered by Parameters with "${answerName}". Others are refused.`,
    system: true,
    type: false,
    instance: false,
    parameter: [
      parameter(
        'resource',
        'in',
        'Resource',
        'Any but Parameters and MolecularSequence; not with others',
      ),
      parameter('identifiableData', 'in', 'Bundle', 'With "policy"'),
      parameter(
        'policy',
        'in',
        'string',
        `How PHI in texts is replaced: ${DEIDENTIFY_POLICIES.join(', ')}`,
      ),
      parameter('return', 'out', 'Resource', 'The answer itself, of a resource'),
      parameter(answerName, 'out', 'Bundle', 'Of "identifiableData"'),
    ],
  };
}
