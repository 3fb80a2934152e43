import { TacetError } from '../../../../../proto/errors.js';
import { attributesOf, nameOf, type XmlPiece } from '../xml-pieces.js';

const HL7_NAMESPACE = /^urn:hl7-org:(v3|sdtc)[\w/:-]*$/;
const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';

/** Which elements of a document are HL7's, by what its prefixes are declared to stand for. */
export class CdaNamespaces {
  /** The empty one among them: what nothing declares is taken for HL7's. */
  readonly #own = new Set(['']);

  /** Throws `record-invalid` where a prefix stands for several, or datatypes would not be told by `xsi:type`. */
  constructor(pieces: readonly XmlPiece[], origin: string) {
    const declared = new Map<string, string>();
    for (const { name, value } of pieces.filter(isStart).flatMap(attributesOf)) {
      const [, prefix] = /^xmlns:(.+)$/.exec(name) ?? [];
      if (prefix === undefined) continue;
      const isInstance = value === SCHEMA_INSTANCE;
      if ((declared.get(prefix) ?? value) !== value || isInstance !== (prefix === 'xsi'))
        throw new TacetError(
          'record-invalid',
          `${origin}: expected one namespace of each prefix, and xsi for ${SCHEMA_INSTANCE}`,
        );
      declared.set(prefix, value);
      if (HL7_NAMESPACE.test(value)) this.#own.add(prefix);
    }
  }

  /** Of another namespace, by its prefix or by a declaration of its own. */
  isForeign(piece: XmlPiece): boolean {
    if (!this.#own.has(prefixOf(piece))) return true;
    return attributesOf(piece).some(
      ({ name, value }) => name === 'xmlns' && !HL7_NAMESPACE.test(value),
    );
  }
}

function isStart({ kind }: XmlPiece): boolean {
  return kind === 'open' || kind === 'empty';
}

function prefixOf(piece: XmlPiece): string {
  const [prefix = '', local] = nameOf(piece).split(':');
  return local === undefined ? '' : prefix;
}
