import { readFileSync } from 'node:fs';

/** The datatypes that an element may have, by its name; several where releases differ. */
type Elements = ReadonlyMap<string, readonly string[]>;

const FILE = new URL('./element-definitions.json', import.meta.url);
const { resources, datatypes } = JSON.parse(readFileSync(FILE, 'utf8')) as Record<
  'resources' | 'datatypes',
  Readonly<Record<string, string>>
>;

/** The types of resources of FHIR R4, R4B and R5. */
export const RESOURCE_TYPES: ReadonlySet<string> = new Set(
  Object.keys(resources).filter((name) => !name.includes('.')),
);

/**
 * Every type of FHIR 4.0, 4.3.0 and 5.0.0 (hl7.org/fhir/R4, R4B, R5), elements that have elements of their own by
 * their path, e.g. `Claim.item`. Each is a line of `DATATYPE ELEMENT ELEMENT; …`, with `A/B` for a datatype that
 * differs between releases and `.` for the path of the element itself. Not listed are extensions, `id` beneath a
 * resource, and what every resource has.
 */
export const DEFINED: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...resources, ...datatypes }),
);

/** The elements of a type; undefined for one that FHIR has not. */
export function elementsOf(type: string): Elements | undefined {
  const line = DEFINED.get(type);
  if (line === undefined) return undefined;
  const elements = line.split('; ').flatMap((group) => {
    const [datatype = '', ...names] = group.split(' ');
    return names.map((name) => [name, typesOf(datatype, `${type}.${name}`)] as const);
  });
  return new Map(elements);
}

function typesOf(datatypes: string, path: string): string[] {
  return datatypes.split('/').map((each) => (each === '.' ? path : each));
}
