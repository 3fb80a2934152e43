import type { ElementRule, LeafRule } from './element-rule.js';

const words = (...names: string[]): ReadonlySet<string> => new Set(names.join(' ').split(' '));

/** Strings that hold sentences or labels: read by the pipeline. Any other may be a name or a number of someone. */
const PROSE = words(
  'availabilityExceptions cancelledReason color comment conclusion description detail disposition display',
  'documentation documentType doseNumber instruction label mitigation overrideReason patientInstruction',
  'preparation productName rationale reason requirement series seriesDoses statusReason subtitle summary',
  'text textEquivalent title unit usage usageInstruction',
  'abatementString ageString allowedString amountString answerString contentString deceasedString detailString',
  'doseNumberString durationString occurrenceString onsetString performedString periodString scheduledString',
  'seriesDosesString usedString valueString',
);
/** Addresses of definitions, code systems and profiles; any other may lead back to a record or a person. */
const DEFINITIONS = words(
  'definition definitionUri derivedFromUri eventUri instantiates instantiatesUri issuer jurisdiction moduleUri',
  'policy protocol system uri url',
);
/** Ranges of the ages at which something happened. */
const AT_AN_AGE = words(
  'abatementRange ageRange deceasedRange occurrenceRange onsetRange performedRange',
);

/** Whole numbers that hold whatever a form asks for. */
const ANY_NUMBER =
  /^(value|answer|fixed|pattern|defaultValue)(Integer|Integer64|PositiveInt|UnsignedInt)$/;

/** Elements that are treated alike wherever they stand. */
const BY_NAME: Readonly<Record<string, LeafRule>> = {
  birthDate: 'birthDate',
  ...{ contentType: 'mediaType', mimeType: 'mediaType', payloadMimeType: 'mediaType' },
  // Who wrote something, and where it is from.
  ...{ citation: 'removed', citeAsMarkdown: 'removed', copyright: 'removed' },
  // Of a batch, a device or a card: ends of months, most of them, which would say by how much they were moved.
  ...{ expirationDate: 'removed', expiry: 'removed', manufactureDate: 'removed', useBy: 'removed' },
  // Of an insurance, which ends with a year or half of one.
  benefitPeriod: 'removed',
  // Directions to a place and its telephones.
  extraDetails: 'removed',
  photo: 'removed',
};

/** What becomes of datatypes; a name stands for the rules of that type's elements. */
const BY_DATATYPE: Readonly<Record<string, ElementRule>> = {
  ...{ boolean: 'kept', decimal: 'kept', integer: 'kept', integer64: 'kept' },
  ...{ positiveInt: 'kept', unsignedInt: 'kept' },
  ...{ code: 'code', canonical: 'uri', markdown: 'text', xhtml: 'xhtml', time: 'time' },
  ...{ date: 'date', dateTime: 'date', instant: 'date' },
  ...{ id: 'identifier', uuid: 'reference' },
  // Bytes, addresses and object identifiers name what the rules cannot see.
  ...{ base64Binary: 'removed', oid: 'removed', url: 'removed' },
  ...{ Attachment: 'attachment', Age: 'age', Resource: 'resource' },
  ...{ Count: 'Quantity', Distance: 'Quantity', Duration: 'Quantity' },
  ...{ ContactDetail: 'removed', ContactPoint: 'removed', Contributor: 'removed' },
  ...{ ExtendedContactDetail: 'removed', HumanName: 'removed', Signature: 'removed' },
  VirtualServiceDetail: 'removed',
};

/** Of leaves that one element may have in different releases the first of these is taken. */
const STRICTEST: readonly ElementRule[] = ['removed', 'identifier', 'text', 'date', 'uri', 'code'];

/** What becomes of an element of primitive datatypes. */
export function primitiveRule(name: string, datatypes: readonly string[]): LeafRule {
  if (BY_NAME[name] !== undefined) return BY_NAME[name];
  if (ANY_NUMBER.test(name)) return 'number';
  // What is prose in one release is prose in all.
  const known = datatypes.filter((each) => each !== 'string' || !datatypes.includes('markdown'));
  const rules = known.map((datatype) => {
    if (datatype === 'string') return PROSE.has(name) ? 'text' : 'removed';
    if (datatype === 'uri') return DEFINITIONS.has(name) ? 'uri' : 'removed';
    return (BY_DATATYPE[datatype] ?? 'removed') as LeafRule;
  });
  return (STRICTEST.find((each) => rules.includes(each as LeafRule)) ?? rules[0]) as LeafRule;
}

/** The same of a datatype with elements; undefined where they have rules of their own. */
export function complexRule(name: string, datatype: string): ElementRule | undefined {
  if (BY_NAME[name] !== undefined) return BY_NAME[name];
  if (datatype === 'Range' && AT_AN_AGE.has(name)) return 'ageRange';
  return BY_DATATYPE[datatype];
}

export function isPrimitive(datatype: string): boolean {
  return /^[a-z]/.test(datatype);
}
