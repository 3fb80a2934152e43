import { elementsOf } from '../../../../../services/institution/deidentify/records/fhir/element-definitions.js';
import type { Resource } from './cleaned-resource.js';
import { NAME } from './tagged-names.js';

const NUMBER = 'MRN-778899';
const DAY = '2020-03-04';
const ADDRESS = `http://hospital.example/Patient/${NUMBER}`;
const BYTES = Buffer.from(`${NAME} Quint`).toString('base64');
const MAIL = 'zebulon@mail.example';
/** No country's name has digits. */
const COUNTRY = '221B-Baker-St';
const DEEPEST = 3;

/** What stands in every element of a planted resource that can hold it. */
export const PLANTED = new RegExp(
  [NAME, 'Quint', NUMBER, DAY, BYTES, COUNTRY, 'zebulon'].join('|'),
);

const PRIMITIVES: Readonly<Record<string, unknown>> = {
  ...{ string: `${NAME} Quint`, markdown: `${NAME} Quint`, code: MAIL, base64Binary: BYTES },
  xhtml: `<div xmlns="http://www.w3.org/1999/xhtml">${NAME} Quint</div>`,
  ...{ id: NUMBER, oid: `urn:oid:1.2.${NUMBER}`, uuid: `urn:uuid:${NUMBER}` },
  ...{ uri: ADDRESS, url: ADDRESS, canonical: ADDRESS },
  ...{ date: DAY, dateTime: `${DAY}T10:00:00Z`, instant: `${DAY}T10:00:00Z`, time: '10:00:00' },
  ...{ boolean: true, decimal: 1.5, integer: 1, integer64: 1, positiveInt: 1, unsignedInt: 1 },
};

/** A resource with a value in every element of its definition, down to a depth, each with PHI where it has room. */
export function planted(type: string): Resource {
  const meta = { versionId: NUMBER, source: ADDRESS, profile: [ADDRESS], lastUpdated: DAY };
  const text = { status: 'generated', div: PRIMITIVES.xhtml };
  return { resourceType: type, id: NUMBER, meta, text, ...elements(type, 0) };
}

/** One for each datatype that the element may have. */
function elements(type: string, depth: number): Resource {
  const found = Array.from(elementsOf(type) ?? [], ([name, datatypes]) => {
    const values = datatypes.map((datatype) => plantedIn(name, datatype, depth));
    return [name, values.filter((value) => value !== undefined)] as const;
  });
  return Object.fromEntries(found.filter(([, values]) => values.length > 0));
}

function plantedIn(name: string, datatype: string, depth: number): unknown {
  if (name === 'contentType') return 'text/plain';
  if (name === 'country') return COUNTRY;
  if (datatype in PRIMITIVES) return PRIMITIVES[datatype];
  if (depth === DEEPEST) return undefined;
  if (datatype === 'Resource')
    return { resourceType: 'Patient', id: NUMBER, ...elements('Patient', DEEPEST - 1) };
  const held = elements(datatype, depth + 1);
  if (datatype === 'Reference') held.reference = `Patient/${NUMBER}`;
  return held;
}
