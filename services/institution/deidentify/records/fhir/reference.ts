import type { Renaming } from '../renaming.js';
import { RESOURCE_TYPES } from './element-definitions.js';
import { isUri } from './kept-value.js';

const TYPE_AND_ID =
  /^(?:https?:\/\/[^\s?#]*\/)?([A-Z][A-Za-z]{1,63})\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/;
/** A search for one identifier, as bundles refer to what a server has (FHIR R4, section 3.1.0.11.2). */
const BY_IDENTIFIER =
  /^([A-Z][A-Za-z]{1,63})\?identifier=(https?:\/\/[\w./-]+|urn:oid:[\d.]+)\|([^\s|&]{1,128})$/;
const UUID_URN = /^urn:uuid:([0-9a-fA-F-]{36})$/;

/** Whose server a renamed address names: RFC 2606 gives it to nobody. */
const BASE = 'https://example.org/fhir';

/** `Type/id` of what a reference names, however it is written; undefined where it names nothing so. */
export function namedResource(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const [, type, id] = TYPE_AND_ID.exec(reference) ?? [];
  if (type !== undefined) return `${type}/${id}`;
  return UUID_URN.test(reference) ? reference.toLowerCase() : undefined;
}

/**
 * A reference that names its renamed resource (FHIR R4, section 2.3.0.1): relative, absolute, a UUID, or
 * within its resource, or by an identifier. Undefined for any other, e.g. another search, a type that FHIR has not or an
 * identifier whose system may name a record (`isUri`).
 */
export function renamedReference(reference: string, renaming: Renaming): string | undefined {
  if (/^#[A-Za-z0-9.-]{0,64}$/.test(reference))
    return reference === '#' ? '#' : `#${renaming.id('#', reference.slice(1))}`;
  const [, type, id] = TYPE_AND_ID.exec(reference) ?? [];
  if (type !== undefined && id !== undefined)
    return RESOURCE_TYPES.has(type) ? `${type}/${renaming.id(type, id)}` : undefined;
  const [, asked, system, identifier] = BY_IDENTIFIER.exec(reference) ?? [];
  if (asked !== undefined && system !== undefined && identifier !== undefined)
    return RESOURCE_TYPES.has(asked) && isUri(system)
      ? `${asked}?identifier=${system}|${renaming.id('identifier', identifier)}`
      : undefined;
  const [, uuid] = UUID_URN.exec(reference) ?? [];
  return uuid === undefined ? undefined : `urn:uuid:${renaming.uuid(uuid)}`;
}

/** The address of an entry or of a request: absolute where it was, and of a type alone as it is. */
export function renamedUrl(url: string, renaming: Renaming): string | undefined {
  if (RESOURCE_TYPES.has(url)) return url;
  const reference = renamedReference(url, renaming);
  const isAbsolute = reference !== undefined && /^https?:/.test(url);
  return isAbsolute ? `${BASE}/${reference}` : reference;
}
