import { CREDIT_CARD } from '../../recognisers/credit-card.js';
import { EMAIL } from '../../recognisers/email.js';
import { IBAN } from '../../recognisers/iban.js';
import { phoneNumber } from '../../recognisers/phone-number.js';
import { ES_NIE, ES_NIF } from '../../recognisers/spanish-identity.js';
import { US_SOCIAL_SECURITY } from '../../recognisers/us-social-security.js';
import { isDayInDigits, isWholeDay } from '../whole-day.js';
import { RESOURCE_TYPES } from './element-definitions.js';
import { rulesOf } from './element-rules.js';

const CODE = /^[^\s\p{Cc}]{1,64}$/u;
const URI =
  /^(urn:(oid|iso|ietf|hl7-org):?[\w.:-]+|https?:\/\/[\w.-]+(:\d+)?(\/[\w.~/-]*)?(#[\w.-]*)?)(\|[\w.-]+)?$/;
const LONGEST_URI = 2000;
const DATE = /^(18|19|20)\d\d-\d\d-\d\d/;
const COUNTRY = /^\p{L}[\p{L}\p{M} '’-]{0,63}$/u;
/** Folders of servers that are not of FHIR. */
const OF_PEOPLE =
  /(?:^|\/)(patient|person|encounter|practitioner|member|subscriber|user)s?\/[^/|#]/;
const TIME = /^\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;
/** An address's sign, or what HL7 v2 parts names with; `10^3/uL` is a unit. */
const MARKS = /@|(?<!\bx?10)\^|\^(?!-?\d)/;
const BY_SHAPE = [EMAIL, US_SOCIAL_SECURITY, CREDIT_CARD, IBAN, ES_NIF, ES_NIE] as const;
const PHONE = phoneNumber(['en']);
/** What each of the telephones below holds; most codes do not. */
const MAY_BE_PHONE = /\+\d|\d{3}[ .-]\d{4}/;

/**
 * Whether a code looks like one, and like no date, no number or address of a person or of a record. Where
 * a code system is named (`isOfSystem`), digits may be a code of it though they read as a day.
 */
export function isCode(value: string, isOfSystem = false): boolean {
  if (!isVersion(value) || DATE.test(value) || isWholeDay(value)) return false;
  return isOfSystem || !isDayInDigits(value);
}

/** The same of a version, which may be a date. */
export function isVersion(value: string): boolean {
  return CODE.test(value) && !isOfPerson(value) && !namesRecord(value);
}

/** The same of the address of a definition, a code system or a profile. */
export function isUri(value: string): boolean {
  return (
    value.length <= LONGEST_URI && URI.test(value) && !isOfPerson(value) && !namesRecord(value)
  );
}

/** Whether an address has a type of resources and an id as its parts, of which definitions alone are no records. */
function namesRecord(uri: string): boolean {
  if (OF_PEOPLE.test(uri)) return true;
  return Array.from(uri.matchAll(/(?:^|\/)([A-Z][A-Za-z]*)(?=\/[^/|#])/g)).some(
    ([, type = '']) => RESOURCE_TYPES.has(type) && !isDefinition(type),
  );
}

/** Definitions have an address of their own by which others name them. */
function isDefinition(type: string): boolean {
  return rulesOf(type)?.url === 'uri';
}

export function isTime(value: string): boolean {
  return TIME.test(value);
}

export function isCountry(value: string): boolean {
  return COUNTRY.test(value);
}

/** Codes of digits alone, such as SNOMED CT's, are as long as cards and telephones and pass check sums by chance. */
function isOfPerson(value: string): boolean {
  if (/^\d+$/.test(value)) return false;
  return MARKS.test(value) || BY_SHAPE.some(({ find }) => hasAny(find(value))) || hasPhone(value);
}

function hasAny(found: Iterable<unknown>): boolean {
  return !found[Symbol.iterator]().next().done;
}

/** With a country code behind `+`, or in the groups of North America: others are like dates and product codes. */
function hasPhone(value: string): boolean {
  if (!MAY_BE_PHONE.test(value)) return false;
  for (const { start, pattern } of PHONE.find(value))
    if (value[start] === '+' || pattern === 'North American, in groups') return true;
  return false;
}
