import { TacetError } from '../../../proto/errors.js';

/** XML 1.0 section 2.2 has no form for these, not even as references. */
const FORBIDDEN = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/u;

/**
 * A text between two tags. A carriage return is written as a reference: XML 1.0 section 2.11 would make it
 * a line feed. Throws `corpus-invalid` for a character that XML cannot hold.
 */
export function xmlCharacterData(text: string): string {
  requireXmlCharacters(text);
  return text.replace(/[&<>\r]/g, reference);
}

/** The value of an attribute in double quotes. Throws `corpus-invalid` for a character that XML cannot hold. */
export function xmlAttribute(value: string): string {
  requireXmlCharacters(value);
  return value.replace(/[&<>"\t\n\r]/g, reference);
}

/** Throws `corpus-invalid` with `where` the text stands and the UTF-16 offset of the first character that XML cannot hold. */
export function requireXmlCharacters(text: string, where?: string): void {
  const forbidden = text.search(FORBIDDEN);
  if (forbidden < 0) return;
  throw new TacetError(
    'corpus-invalid',
    `${where === undefined ? '' : `${where}: `}the character at offset ${forbidden} cannot be written in XML; ` +
      'choose another format or remove it',
  );
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
