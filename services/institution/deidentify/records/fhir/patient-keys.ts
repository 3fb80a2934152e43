import { namedResource } from './reference.js';

type Json = Readonly<Record<string, unknown>>;

const CONDITIONAL = /^(?:https?:\/\/[^\s?#]*\/)?([A-Z][A-Za-z]{1,63}\?.+)$/;
const BY_IDENTIFIER = /^[A-Z][A-Za-z]{1,63}\?identifier=([^&]+)$/;

/** Elements that name whom a resource is about. */
const SUBJECTS = ['subject', 'patient', 'beneficiary', 'for', 'candidate', 'individual'] as const;

/** By whom the dates of resources move: one key for each patient, however a bundle refers to them. */
export class PatientKeys {
  /** The keys of a bundle's resources by the addresses that entries give them and, of patients, by identifiers. */
  readonly #aliases = new Map<string, string>();
  /** Addresses of resources without an id. */
  readonly #addresses = new WeakMap<object, string>();

  /** `origin` tells files apart. */
  constructor(private readonly origin: string) {}

  learn({ entry }: Json): void {
    for (const { fullUrl, resource } of listOf(entry)) {
      if (!isObject(resource)) continue;
      const name = namedResource(fullUrl);
      if (name !== undefined && typeof resource.id === 'string')
        this.#aliases.set(name, `${resource.resourceType}/${resource.id}`);
      else if (name !== undefined) this.#addresses.set(resource, name);
      const own = this.#nameOf(resource);
      if (resource.resourceType !== 'Patient' || own === undefined) continue;
      for (const identifier of identifierKeys(resource.identifier))
        this.#aliases.set(identifier, own);
    }
  }

  /** Of a resource that is not contained: one contained has the key of what holds it. */
  of(resource: Json, pointer: string): string {
    const place = `${this.origin} ${pointer}`;
    if (resource.resourceType === 'Patient')
      return this.#nameOf(resource) ?? identifierKeys(resource.identifier)[0] ?? place;
    const own = this.#nameOf(resource) ?? place;
    for (const element of SUBJECTS)
      for (const reference of listOf(resource[element])) {
        const key = subjectKey(reference, own);
        if (key !== undefined) return this.#aliases.get(key) ?? key;
      }
    return own;
  }

  #nameOf(resource: Json): string | undefined {
    if (typeof resource.id === 'string') return `${resource.resourceType}/${resource.id}`;
    return this.#addresses.get(resource);
  }
}

/** Undefined where nothing names the subject; `own` names the resource that refers to it. */
function subjectKey({ reference, identifier }: Json, own: string): string | undefined {
  if (typeof reference !== 'string' || reference === '') return identifierKeys(identifier)[0];
  const name = namedResource(reference);
  if (name !== undefined) return name;
  if (reference.startsWith('#')) return own + reference;
  const [, search = reference] = CONDITIONAL.exec(reference) ?? [];
  const text = decoded(search);
  const [, asked] = BY_IDENTIFIER.exec(text) ?? [];
  return asked === undefined ? text : identifierKey(asked);
}

/** Of identifiers with a system; of one alone also without. */
function identifierKeys(identifiers: unknown): string[] {
  return listOf(identifiers).flatMap(({ system, value }) => {
    if (typeof value !== 'string') return [];
    if (typeof system === 'string') return [identifierKey(`${system}|${value}`)];
    return Array.isArray(identifiers) ? [] : [identifierKey(value)];
  });
}

/** As searches for tokens have it: `system|value`, `|value` without a system. */
function identifierKey(token: string): string {
  return `identifier ${token.replace(/^\|/, '')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function listOf(value: unknown): Json[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
