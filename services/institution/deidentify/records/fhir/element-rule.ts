/** What becomes of a value that is no object with rules of its own. */
const LEAF_RULES = [
  /** A boolean or a number stays. */
  'kept',
  /** A number stays where it is no longer than a count or a measure. */
  'number',
  /** A code stays where it looks like one, and like no date and no address or number of a person. */
  'code',
  /** The same of a version, which may be a date. */
  'version',
  /** A country's name or code stays: letters without digits. */
  'country',
  /** The time of a day stays. */
  'time',
  /** An address of a definition, a code system or a profile stays. */
  'uri',
  /** Free text goes through the pipeline, and XHTML with its markup. */
  'text',
  'xhtml',
  /** Dates move by one number of days a patient. */
  'date',
  'birthDate',
  /** When a bundle was put together: moved in a document, which has to say it, and removed from any other. */
  'timestamp',
  /** Identifiers and what refers to them are renamed alike in a run. */
  'id',
  'identifier',
  'reference',
  'url',
  'removed',
  'attachment',
  /** The kind of data without its parameters but for the character set. */
  'mediaType',
  /** Ages over 89 years are removed, as HIPAA's Safe Harbor rule has it. */
  'age',
  'ageRange',
  'resource',
  /** Of a Bundle: one that cannot be de-identified may be left out alone. */
  'entry',
] as const;
export type LeafRule = (typeof LEAF_RULES)[number];

/** A leaf, a type by its name, elements that releases define otherwise, or what releases disagree on. */
export type ElementRule = LeafRule | (string & {}) | ElementRules | ByShape;
export interface ElementRules {
  readonly [element: string]: ElementRule;
}

/** Of an element that has a primitive value in one release and an object in another. */
export class ByShape {
  constructor(
    readonly primitive: LeafRule,
    readonly object: ElementRule,
  ) {}
}

const LEAVES: ReadonlySet<unknown> = new Set(LEAF_RULES);

export function isLeaf(rule: ElementRule): rule is LeafRule {
  return LEAVES.has(rule);
}
