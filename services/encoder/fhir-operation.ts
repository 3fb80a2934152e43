import { TacetError } from '../../proto/errors.js';
import { TREATMENTS, type Treatment } from '../institution/deidentify/treatment.js';

type Json = Readonly<Record<string, unknown>>;

/** What a call of the operation asks for. */
export interface FhirOperation {
  readonly resource: unknown;
  readonly treatment: Treatment;
  /** What is answered, of the resource without PHI. */
  answer(clean: Json): Json;
}

const GUIDES: ReadonlySet<unknown> = new Set(['identifiableData', 'identifiableDataFileUrls']);
/** What a `policy` may be: of our own all that take PHI out. */
export const DEIDENTIFY_POLICIES = TREATMENTS.filter((treatment) => treatment !== 'annotate');

/**
 * A resource, Parameters with one as `resource`, or the Parameters of HL7's guide DARTS (its operation
 * `de-identify`): a Bundle as `identifiableData` and a `policy`, answered by Parameters with a Bundle called
 * `answerName`. Throws `record-invalid`, and `record-unsupported` for what of the guide is not there.
 */
export function operationOf(body: Json, answerName: string): FhirOperation {
  const given = Array.isArray(body.parameter) ? body.parameter.filter(isObject) : [];
  const named = (name: string) => given.filter((each) => each.name === name);
  if (body.resourceType !== 'Parameters') return asTag(body);
  const isGuides = given.some(({ name }) => GUIDES.has(name));
  const isKnown = (name: unknown) =>
    isGuides ? GUIDES.has(name) || name === 'policy' : name === 'resource';
  if (!given.every(({ name }) => isKnown(name)))
    throw new TacetError(
      'record-unsupported',
      'Parameters: one that is not known; expected "resource", or "identifiableData" and "policy"',
    );
  if (!isGuides) return asTag(only(named('resource')));
  if (named('identifiableDataFileUrls').length > 0)
    throw new TacetError(
      'record-unsupported',
      'Parameters: files at addresses are not fetched; send a Bundle as "identifiableData"',
    );
  const [data, ...others] = named('identifiableData').map(({ resource }) => resource);
  if (others.length > 0 || !isObject(data) || data.resourceType !== 'Bundle')
    throw new TacetError(
      'record-invalid',
      'Parameters: expected one parameter "identifiableData" that holds a Bundle',
    );
  return {
    resource: data,
    treatment: treatmentOf(named('policy').map((each) => each.valueString ?? each.valueCode)),
    answer: (resource) => ({
      resourceType: 'Parameters',
      parameter: [{ name: answerName, resource }],
    }),
  };
}

/** By the names of our own policies. Safe Harbor takes dates out, which ours moves, so that it is not promised. */
function treatmentOf(policies: readonly unknown[]): Treatment {
  const treatment = DEIDENTIFY_POLICIES.find((each) => each === policies[0]);
  if (policies.length === 1 && treatment !== undefined) return treatment;
  throw new TacetError(
    'record-unsupported',
    `Parameters: expected one "policy" of ${DEIDENTIFY_POLICIES.join(', ')}; that of HHS's Safe Harbor is not among ` +
      'them, for dates are moved and texts are read by a model',
  );
}

function asTag(resource: unknown): FhirOperation {
  return { resource, treatment: 'tag', answer: (clean) => clean };
}

function only(parameters: readonly Json[]): unknown {
  const resources = parameters.filter(({ resource }) => isObject(resource));
  if (resources.length === 1) return resources[0]?.resource;
  throw new TacetError(
    'record-invalid',
    'Parameters: expected one parameter "resource" that holds a resource',
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
