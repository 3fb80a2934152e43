import { complexRule, isPrimitive, primitiveRule } from './datatype-rules.js';
import { elementsOf, RESOURCE_TYPES } from './element-definitions.js';
import { ByShape, type ElementRule, type ElementRules, isLeaf } from './element-rule.js';

/** Types of resources that are refused, and why. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ['Parameters', 'what it holds has a meaning to one operation alone'],
  ['MolecularSequence', 'a sequence of a genome identifies who has it'],
]);

const RESOURCE: ElementRules = {
  ...{ id: 'id', meta: 'Meta', language: 'code', text: 'Narrative', contained: 'resource' },
};

/**
 * Where the definition of an element says less of what it holds than its name does. By types as the definitions
 * name them.
 */
const OVERRIDES: Readonly<Record<string, ElementRules>> = {
  Address: { country: 'country', text: 'removed' },
  'Appointment.recurrenceTemplate': all('removed', 'monthlyTemplate weeklyTemplate'),
  'AuditEvent.entity': { detail: 'removed', description: 'removed' },
  Binary: { data: 'attachment' },
  Bundle: { entry: 'entry', link: 'removed', timestamp: 'timestamp' },
  'Bundle.entry': { link: 'removed', fullUrl: 'url' },
  'Bundle.entry.request': { url: 'url' },
  'Bundle.entry.response': { status: 'code', lastModified: 'removed' },
  CareTeam: { name: 'text' },
  // Where claims put the numbers of records and accounts, without a word beside them.
  ...{
    'Claim.supportingInfo': { valueString: 'removed' },
    'ExplanationOfBenefit.supportingInfo': { valueString: 'removed' },
    'ServiceRequest.orderDetail.parameter': { valueString: 'removed' },
  },
  ...{ 'Task.input': { valueString: 'removed' }, 'Task.output': { valueString: 'removed' } },
  ...{
    'Transport.input': { valueString: 'removed' },
    'Transport.output': { valueString: 'removed' },
  },
  Coding: { version: 'version' },
  // What names a record, not a definition.
  ...{ Composition: { url: 'removed' }, Contract: { url: 'removed' } },
  Device: {
    ...all('text', 'manufacturer modelNumber'),
    ...all('removed', 'udiCarrier url'),
  },
  // Patients give their devices names.
  ...{ 'Device.deviceName': { name: 'removed' }, 'Device.name': { value: 'removed' } },
  // Insurances and cards begin and end with a month, most with a year, which would say by how much their dates were moved.
  ...{
    Coverage: { period: 'removed' },
    'Coverage.costToBeneficiary.exception': { period: 'removed' },
  },
  DocumentReference: { version: 'version' },
  FamilyMemberHistory: all('removed', 'bornDate bornPeriod'),
  Identifier: { value: 'identifier', period: 'removed' },
  Location: all('removed', 'description position'),
  // When a server took a record in is known of many at once, and would say by how much each was moved.
  Meta: { versionId: 'removed', lastUpdated: 'removed' },
  Organization: { contact: 'removed' },
  'Questionnaire.item': { linkId: 'code' },
  'Questionnaire.item.enableWhen': { question: 'code' },
  'QuestionnaireResponse.item': { linkId: 'code' },
  // When what anybody can look up was published.
  RelatedArtifact: { publicationDate: 'removed' },
  ResearchStudy: { url: 'removed' },
  'Subscription.channel': { payload: 'mediaType' },
  'TestReport.participant': { display: 'removed' },
  Reference: { reference: 'reference', type: 'code', display: 'removed' },
  // Beside a date that was moved it says by how much, modulo seven.
  'Timing.repeat': { dayOfWeek: 'removed' },
};

const known = new Map<string, ElementRules>();

/**
 * What becomes of the elements of a type of FHIR R4, R4B and R5, by the datatypes that its definition gives them;
 * what is not defined is taken out. Undefined for what is no type, and for a resource that is refused.
 */
export function rulesOf(type: string): ElementRules | undefined {
  const rules = known.get(type);
  if (rules !== undefined) return rules;
  const elements = REFUSED.has(type) ? undefined : elementsOf(type);
  if (elements === undefined) return undefined;
  const made: ElementRules = {
    ...(RESOURCE_TYPES.has(type) ? RESOURCE : {}),
    ...Object.fromEntries(
      Array.from(elements, ([name, types]) => [name, elementRule(name, types)] as const),
    ),
    ...OVERRIDES[type],
  };
  known.set(type, made);
  return made;
}

function elementRule(name: string, datatypes: readonly string[]): ElementRule {
  const primitive = datatypes.filter(isPrimitive);
  const [first, ...others] = datatypes
    .filter((each) => !isPrimitive(each))
    .map((each) => complexRule(name, each) ?? (rulesExist(each) ? each : 'removed'));
  const object = first === undefined ? undefined : others.reduce(merged, first);
  if (object === undefined) return primitiveRule(name, primitive);
  return primitive.length === 0 ? object : new ByShape(primitiveRule(name, primitive), object);
}

function rulesExist(type: string): boolean {
  return elementsOf(type) !== undefined;
}

/** Leaves whose values are objects. */
const OBJECTS: ReadonlySet<ElementRule> = new Set([
  ...['attachment', 'age', 'ageRange', 'resource', 'entry', 'removed'],
]);

/** Of two rules for one element the elements of both; removed where they cannot be told apart. */
function merged(one: ElementRule, other: ElementRule): ElementRule {
  if (one === other) return one;
  if (isLeaf(one)) return isLeaf(other) || OBJECTS.has(one) ? 'removed' : new ByShape(one, other);
  if (isLeaf(other)) return merged(other, one);
  const [left, right] = [expanded(one), expanded(other)];
  const both = Object.keys(right).map((name): [string, ElementRule] => {
    const rule = right[name] as ElementRule;
    return [name, left[name] === undefined ? rule : merged(left[name], rule)];
  });
  return { ...left, ...Object.fromEntries(both) };
}

function expanded(rule: ElementRule): ElementRules {
  if (typeof rule === 'string') return rulesOf(rule) ?? {};
  return rule instanceof ByShape ? expanded(rule.object) : rule;
}

/** Several elements of one rule. */
function all(rule: ElementRule, names: string): ElementRules {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]));
}
