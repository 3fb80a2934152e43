import { isCode, isVersion } from '../fhir/kept-value.js';
import type { XmlAttribute } from '../xml-pieces.js';

const CODE = /^[\w.:%/+*{}[\]()^'~!-]{0,64}$/;
/** A code system or a set of its codes, by their OID. */
const SYSTEM_NAME = /^(codeSystem|(sdtc:)?valueSet)$/;
const CODE_SYSTEM = /^[0-2](\.\d+)+$/;
const VERSION = 'Version';

/** The names of those attributes that name a code system or a set of its codes. */
export function systemsAmong(attributes: readonly XmlAttribute[]): ReadonlySet<string> {
  const systems = attributes.filter(
    ({ name, value }) => SYSTEM_NAME.test(name) && CODE_SYSTEM.test(value),
  );
  return new Set(systems.map(({ name }) => name));
}

/** Whether a code may stay, by what FHIR asks of codes; `systems` are those named beside it (`systemsAmong`). */
export function isKeptCode(name: string, value: string, systems: ReadonlySet<string>): boolean {
  if (value === '' || systems.has(name)) return true;
  if (!CODE.test(value)) return false;
  if (name.endsWith(VERSION) && systems.has(name.slice(0, -VERSION.length)))
    return isVersion(value);
  return isCode(value, name === 'code' && systems.has('codeSystem'));
}

/** Whether the version of a template may stay. */
export function isKeptVersion(value: string): boolean {
  return CODE.test(value) && isVersion(value);
}
