import { rulesOf } from './element-rules.js';
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
  /** The keys of patients by the resources of a bundle that name one, and by the patients themselves. */
  readonly #byResource = new Map<string, string>();

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
    for (const { resource } of listOf(entry)) {
      if (!isObject(resource)) continue;
      const own = this.#nameOf(resource);
      const key = resource.resourceType === 'Patient' ? own : this.#subjectOf(resource, own ?? '');
      if (own !== undefined && key !== undefined) this.#byResource.set(own, key);
    }
  }

  /** Of a resource that is not contained: one contained has the key of what holds it. */
  of(resource: Json, pointer: string): string {
    const place = `${this.origin} ${pointer}`;
    if (resource.resourceType === 'Patient')
      return this.#nameOf(resource) ?? identifierKeys(resource.identifier)[0] ?? place;
    const own = this.#nameOf(resource) ?? place;
    const patient = this.#subjectOf(resource, own) ?? this.#referredPatient(resource) ?? own;
    // Who was given a bundle knows when it was put together. One number for all those of a patient: the middle of many would
    // lie as far from his dates as these were moved.
    return resource.resourceType === 'Bundle' ? `Bundle ${patient}` : patient;
  }

  #subjectOf(resource: Json, own: string): string | undefined {
    for (const element of SUBJECTS)
      for (const reference of listOf(resource[element])) {
        const key = subjectKey(reference, own);
        if (key !== undefined) return this.#aliases.get(key) ?? key;
      }
    return undefined;
  }

  /**
   * The one patient whom a resource without a subject refers to, as appointments do, or whom what it refers to in its bundle
   * names, as provenances do. Of many that moved by numbers of their own, the middle would say by how much those around them
   * did. A definition's dates are known to anybody.
   */
  #referredPatient(resource: Json): string | undefined {
    if (rulesOf(String(resource.resourceType))?.url === 'uri') return undefined;
    const found = new Set(
      referencesIn(resource).flatMap(({ reference }) => {
        const name = namedResource(reference);
        const known = name === undefined ? undefined : (this.#aliases.get(name) ?? name);
        if (known === undefined) return [];
        return this.#byResource.get(known) ?? (known.startsWith('Patient/') ? known : []);
      }),
    );
    const [patient, ...others] = found;
    return others.length === 0 ? patient : undefined;
  }

  #nameOf(resource: Json): string | undefined {
    if (typeof resource.id === 'string') return `${resource.resourceType}/${resource.id}`;
    return this.#addresses.get(resource);
  }
}

/** All references of a resource, but for those of what it contains. */
function referencesIn({ contained: _, ...resource }: Json): Json[] {
  const found: Json[] = [];
  const left: unknown[] = [resource];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    if (isObject(each) && typeof each.reference === 'string') found.push(each);
    for (const value of Object.values(each)) left.push(value);
  }
  return found;
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
