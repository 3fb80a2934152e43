import { deidentifyResource } from '../../../../../services/institution/deidentify/records/fhir/deidentify-resource.js';
import { taggedNames } from './tagged-names.js';

// biome-ignore lint/suspicious/noExplicitAny: a resource may hold anything
export type Resource = Record<string, any>;

/** What a resource becomes in a run whose pipeline finds one name. */
export async function cleaned(resource: unknown, context = taggedNames()): Promise<Resource> {
  return deidentifyResource(resource, context, 'f');
}
