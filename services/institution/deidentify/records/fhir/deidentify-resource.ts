import { TacetError } from '../../../../../proto/errors.js';
import { isBadRecord } from '../bad-record.js';
import type { LeftOut } from '../left-out.js';
import { isOldAge, isOldQuantity, youngBirth } from '../old-age.js';
import type { RecordContext } from '../record-context.js';
import { attachmentData, statedType, withoutPhiAttachment } from './attachment.js';
import { RESOURCE_TYPES } from './element-definitions.js';
import { ByShape, type ElementRule, type ElementRules, isLeaf } from './element-rule.js';
import { REFUSED, rulesOf } from './element-rules.js';
import { isNumber, numberOf } from './exact-json.js';
import { isOfWholeMonths, movedDate } from './fhir-date.js';
import { isCode, isCountry, isTime, isUri, isVersion } from './kept-value.js';
import { PatientKeys } from './patient-keys.js';
import { renamedReference, renamedUrl } from './reference.js';
import { markupWithoutPhi } from './xhtml.js';

type Json = Readonly<Record<string, unknown>>;

const MEDIA_TYPE = /^(application|audio|font|image|model|text|video)\/[\w.+-]{1,64}\s*(;.*)?$/i;
const MAX_DEPTH = 64;
/** Bundles that mean nothing without one of their entries. */
const WHOLE_BUNDLES: ReadonlySet<unknown> = new Set(['document', 'message']);
/** Resources whose codes are of the code system that they or what is around the code names. */
const TERMINOLOGY: ReadonlySet<string> = new Set(['CodeSystem', 'ValueSet', 'ConceptMap']);
/** No count or measure has so many digits; numbers of people do. */
const LONG_NUMBER = 1_000_000;
/** Names of files, which no pipeline reads. */
const FILE_NAME = /_|^\S+\.\w{2,5}$/;
const NO_NARRATIVE = '<div xmlns="http://www.w3.org/1999/xhtml">[removed]</div>';
/** What tells who reads it that names are not the first ones. */
const PSEUDONYMISED = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'PSEUDED',
} as const;

export interface ResourceOptions {
  /** Told of entries of a Bundle that cannot be de-identified, which are left out and counted then. */
  readonly onSkipped?: ((entry: Omit<LeftOut, 'file' | 'line'>) => void) | undefined;
}

/** The type that a resource states, where it is one of FHIR; what else stands there may be anything. */
export function statedResourceType(value: unknown): string | undefined {
  const type = isObject(value) ? value.resourceType : undefined;
  return typeof type === 'string' && RESOURCE_TYPES.has(type) ? type : undefined;
}

/**
 * A resource of FHIR R4 or R5 without PHI: free texts go through the pipeline, the other elements are kept,
 * renamed, moved or removed by the closed rules of `element-rules.ts`. Throws `record-invalid` where it is
 * none, and `record-unsupported` for a type or a modifier that no rule knows; `origin` names the file.
 */
export async function deidentifyResource(
  value: unknown,
  context: RecordContext,
  origin: string,
  options: ResourceOptions = {},
): Promise<Json> {
  return new ResourceWalk(context, origin, options).whole(value);
}

/** Where in a resource something stands, and whose dates move together. */
interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly patient: string;
  readonly resourceType: string;
  readonly isContained: boolean;
}

class ResourceWalk {
  readonly #patients: PatientKeys;

  constructor(
    private readonly context: RecordContext,
    private readonly origin: string,
    private readonly options: ResourceOptions,
  ) {
    this.#patients = new PatientKeys(origin);
  }

  async whole(value: unknown): Promise<Json> {
    if (isObject(value) && value.resourceType === 'Bundle') this.#patients.learn(value);
    const clean = await this.#resource(value, { pointer: '', depth: 0 }, false);
    const meta = (clean.meta ?? {}) as Json;
    const security = [...((meta.security as Json[] | undefined) ?? []), PSEUDONYMISED];
    const { resourceType, id, meta: _, ...rest } = clean;
    return {
      resourceType,
      ...(id === undefined ? {} : { id }),
      meta: { ...meta, security },
      ...rest,
    };
  }

  async #resource(
    value: unknown,
    { pointer, depth }: Pick<Place, 'pointer' | 'depth'>,
    isContained: boolean,
    around?: Place,
  ): Promise<Json> {
    if (!isObject(value) || typeof value.resourceType !== 'string')
      throw this.#invalid(pointer, 'expected a resource, an object with "resourceType"');
    const { resourceType } = value;
    const rules = RESOURCE_TYPES.has(resourceType) ? rulesOf(resourceType) : undefined;
    if (rules === undefined) throw this.#unknownType(pointer, resourceType);
    if (value.implicitRules !== undefined) throw this.#unsupported(pointer, '"implicitRules"');
    this.context.counts.records++;
    // A definition's dates are known to anybody, and would say by how much those around them were moved.
    const follows = isContained && rules.url !== 'uri';
    const patient = follows && around ? around.patient : this.#patients.of(value, pointer);
    const place = { pointer, depth, patient, resourceType, isContained };
    const { resourceType: _, ...elements } = value;
    return { resourceType, ...(await this.#object(elements, rules, place)) };
  }

  async #object(value: Json, rules: ElementRules, place: Place): Promise<Json | undefined> {
    if (place.depth > MAX_DEPTH)
      throw this.#invalid(place.pointer, `elements lie deeper than ${MAX_DEPTH}`);
    const { counts } = this.context;
    const clean: Record<string, unknown> = {};
    for (const [name, each] of Object.entries(value)) {
      await this.context.turn();
      if (name === 'modifierExtension') throw this.#unsupported(place.pointer, `"${name}"`);
      if (name === 'extension') counts.remove('extensions', Array.isArray(each) ? each.length : 1);
      else if (name.startsWith('_')) counts.remove('extensions');
      else if (!Object.hasOwn(rules, name)) counts.remove('unknown');
      else {
        const within = { ...place, pointer: `${place.pointer}/${name}`, depth: place.depth + 1 };
        const cleaned = await this.#element(each, rules[name] as ElementRule, within, value);
        if (cleaned !== undefined) clean[name] = cleaned;
      }
    }
    return Object.keys(clean).length > 0 ? clean : undefined;
  }

  async #element(value: unknown, rule: ElementRule, place: Place, around: Json): Promise<unknown> {
    if (!Array.isArray(value)) return this.#one(value, rule, place, around);
    const clean: unknown[] = [];
    for (const [index, each] of value.entries()) {
      if (Array.isArray(each)) throw this.#invalid(place.pointer, 'a list within a list');
      const within = { ...place, pointer: `${place.pointer}/${index}` };
      const cleaned = await this.#one(each, rule, within, around);
      if (cleaned !== undefined) clean.push(cleaned);
    }
    return clean.length > 0 ? clean : undefined;
  }

  async #one(value: unknown, rule: ElementRule, place: Place, around: Json): Promise<unknown> {
    const { counts } = this.context;
    if (rule instanceof ByShape)
      return this.#one(value, isObject(value) ? rule.object : rule.primitive, place, around);
    if (rule === 'Quantity' && isOldYears(value, around)) return void counts.remove('identifying');
    if (rule === 'Period' && isObject(value) && isOfWholeMonths(value.start, value.end))
      return void counts.remove('identifying');
    if (!isLeaf(rule)) {
      const rules = typeof rule === 'string' ? rulesOf(rule) : rule;
      if (rules === undefined) throw new TacetError('internal', `there is no rule ${rule}`);
      return isObject(value) ? this.#object(value, rules, place) : void counts.remove('malformed');
    }
    if (rule === 'removed' || (rule === 'timestamp' && around.type !== 'document'))
      return void counts.remove('identifying');
    if (rule === 'resource')
      return this.#resource(value, place, place.pointer.includes('/contained/'), place);
    if (rule === 'attachment') return this.#attachment(value, place, around);
    if (rule === 'entry') return this.#entry(value, place, around);
    if (rule === 'age' || rule === 'ageRange') {
      if (isOfOld(value)) return void counts.remove('identifying');
      return this.#one(value, rule === 'age' ? 'Quantity' : 'Range', place, around);
    }
    if (rule === 'kept') {
      if (typeof value === 'boolean' || isNumber(value)) return value;
      return void counts.remove('malformed');
    }
    if (rule === 'number') {
      const number = numberOf(value);
      if (number !== undefined && Math.abs(number) < LONG_NUMBER) return value;
      return void counts.remove(number === undefined ? 'malformed' : 'identifying');
    }
    if (typeof value !== 'string' || isNumber(value)) return void counts.remove('malformed');
    const clean = await this.#string(value, rule, place, around);
    if (clean === undefined) counts.remove('malformed');
    return clean;
  }

  /** An entry of a Bundle, or nothing where it cannot be de-identified and the others can. */
  async #entry(value: unknown, place: Place, around: Json): Promise<unknown> {
    try {
      return await this.#one(value, 'Bundle.entry', place, around);
    } catch (error) {
      const isWhole = WHOLE_BUNDLES.has(around.type);
      const { onSkipped } = this.options;
      if (isWhole || onSkipped === undefined || !isBadRecord(error)) throw error;
      const resourceType = statedResourceType(isObject(value) ? value.resource : undefined);
      onSkipped({ pointer: place.pointer, resourceType, code: error.code });
      return void this.context.counts.remove('entries');
    }
  }

  /** What stands for a string; undefined where it is not of the form that its rule knows. */
  async #string(
    value: string,
    rule: string,
    place: Place,
    around: Json,
  ): Promise<string | undefined> {
    const { renaming } = this.context;
    switch (rule) {
      case 'text':
        return this.context.text(value, place.patient);
      case 'xhtml':
        return (await markupWithoutPhi(value, this.context, place.patient)) ?? NO_NARRATIVE;
      case 'code':
        return isCode(value, isOfSystem(place, around)) ? value : undefined;
      case 'version':
        return isVersion(value) ? value : undefined;
      case 'uri':
        if (value.startsWith('urn:uuid:')) return renamedReference(value, renaming);
        return isUri(value) ? value : undefined;
      case 'country':
        return isCountry(value) ? value : undefined;
      case 'time':
        return isTime(value) ? value : undefined;
      case 'date':
      case 'timestamp':
        return movedDate(value, renaming.days(place.patient));
      case 'birthDate':
        return youngBirth(movedDate(value, renaming.days(place.patient)));
      case 'mediaType':
        return MEDIA_TYPE.test(value) ? statedType(value) : undefined;
      case 'id':
        return renaming.id(place.isContained ? '#' : place.resourceType, value);
      case 'identifier':
        return renaming.id('identifier', value);
      case 'reference':
        return renamedReference(value, renaming);
      case 'url':
        return renamedUrl(value, renaming);
      default:
        throw new TacetError('internal', `there is no rule ${rule}`);
    }
  }

  async #attachment(value: unknown, place: Place, around: Json): Promise<unknown> {
    // The data of Binary stand beside its type; those of an Attachment within it.
    const clean = isObject(value)
      ? await withoutPhiAttachment(value, this.context, place.patient)
      : (await attachmentData(around.contentType, value, this.context, place.patient))?.data;
    if (clean === undefined) {
      this.context.counts.remove('attachments');
      return undefined;
    }
    if (!isObject(clean) || !isObject(value)) return clean;
    const { language, title, creation } = value;
    const rules = { language: 'code', title: 'text', creation: 'date' };
    const isFile = typeof title === 'string' && FILE_NAME.test(title);
    if (isFile) this.context.counts.remove('identifying');
    const known = { language, title: isFile ? undefined : title, creation };
    const stated = Object.fromEntries(
      Object.entries(known).filter(([, each]) => each !== undefined),
    );
    return { ...clean, ...(await this.#object(stated, rules, place)) };
  }

  #invalid(pointer: string, problem: string): TacetError {
    return new TacetError('record-invalid', `${this.origin}: ${pointer || '/'}: ${problem}`);
  }

  /** Names the type where it is one of FHIR; what else stands there may be anything. */
  #unknownType(pointer: string, type: string): TacetError {
    const why = REFUSED.get(type);
    const problem = why
      ? `${type} is no resource that is safe to share: ${why}`
      : 'no rule knows the type of this resource, which is none of FHIR R4 or R5';
    return new TacetError(
      'record-unsupported',
      `${this.origin}: ${pointer || '/'}: ${problem}; leave it out, as --skip-bad does`,
    );
  }

  #unsupported(pointer: string, what: string): TacetError {
    return new TacetError(
      'record-unsupported',
      `${this.origin}: ${pointer || '/'}: ${what} may change what the resource means and no rule ` +
        'knows how; leave the resource out, as --skip-bad does',
    );
  }
}

/** Whether a code stands beside the address of its code system, or in a resource that defines or lists codes. */
function isOfSystem({ pointer, resourceType }: Place, { system }: Json): boolean {
  if (!pointer.endsWith('/code')) return false;
  return TERMINOLOGY.has(resourceType) || (typeof system === 'string' && isUri(system));
}

/** Of an Age, or of a Range of ages. */
function isOfOld(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.low !== undefined || value.high !== undefined)
    return isOfOld(value.low) || isOfOld(value.high);
  const number = numberOf(value.value);
  return number !== undefined && isOldAge(number, ...unitsOf(value));
}

/** Both ends of a Range have one unit, which one of them may leave out. */
function isOldYears(value: unknown, { low, high }: Json): boolean {
  if (!isObject(value)) return false;
  const number = numberOf(value.value);
  const own = unitsOf(value);
  const units = own.length > 0 ? own : [low, high].filter(isObject).flatMap(unitsOf);
  return number !== undefined && isOldQuantity(number, ...units);
}

function unitsOf({ code, unit }: Json): string[] {
  return [code, unit].filter((each) => typeof each === 'string');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
