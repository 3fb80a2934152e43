import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { TacetError } from '../../../proto/errors.js';

export type XmlTag = SaxesTagPlain;

/** What a reader is told of; `depth` counts the elements around. */
export interface XmlEvents {
  open?(tag: XmlTag, depth: number): void;
  close?(name: string, depth: number): void;
  /** Text and CDATA, entities resolved. */
  text?(part: string): void;
}

/** No format here nests more; deeper ones are made to exhaust memory. */
const MAX_DEPTH = 256;

/**
 * Reads XML as it comes, strictly. Document type declarations are refused, so no entity beyond XML's own
 * five is ever resolved, unless `allowDoctype`: then one without a subset of its own is passed over, whose
 * entities stay unknown. Throws `corpus-invalid` with line and column, and no word of the text.
 */
export class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false });
  #depth = 0;

  constructor(
    private readonly origin: string,
    events: XmlEvents,
    { allowDoctype = false }: { readonly allowDoctype?: boolean } = {},
  ) {
    const parser = this.#parser;
    parser.on('doctype', (doctype) => {
      if (!allowDoctype || doctype.includes('['))
        this.fail('document type declarations are refused; remove it');
    });
    parser.on('text', (part) => events.text?.(part));
    parser.on('cdata', (part) => events.text?.(part));
    parser.on('opentag', (tag) => {
      if (this.#depth >= MAX_DEPTH) this.fail(`elements lie deeper than ${MAX_DEPTH}`);
      events.open?.(tag, this.#depth);
      this.#depth++;
    });
    parser.on('closetag', ({ name }) => {
      this.#depth--;
      events.close?.(name, this.#depth);
    });
    // The parser's own messages quote the text around the error, which may hold PHI.
    parser.on('error', () => this.fail('the XML is not well-formed here'));
  }

  /** `line N` of what is read now. */
  get place(): string {
    return `line ${this.#parser.line}`;
  }

  /** Behind what was read last, in UTF-16 units of all that was written. */
  get position(): number {
    return this.#parser.position;
  }

  write(part: string): void {
    this.#parser.write(part);
  }

  end(): void {
    this.#parser.close();
  }

  fail(problem: string): never {
    const { line, column } = this.#parser;
    throw new TacetError('corpus-invalid', `${this.origin}:${line}:${column}: ${problem}`);
  }
}
