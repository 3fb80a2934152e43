import { TacetError } from '../../proto/errors.js';
import type { Document } from './document.js';
import { describeUnknown, knowsType, type LabelScheme, mapType } from './label-scheme.js';
import { TypeNames } from './type-name.js';

/** Documents in the types of a label scheme, with a count of the types that it does not know. */
export class SchemeMapping {
  private readonly unknown = new TypeNames();
  /** Where the first document stands that has one. */
  #first: string | undefined;

  constructor(readonly scheme: LabelScheme) {}

  /** The document at `origin` in the scheme's types; spans that are not PHI in it, or unknown to it, are left out. */
  apply(document: Document, origin?: string): Document {
    const spans = document.spans.flatMap((span) => {
      if (!knowsType(span.type, this.scheme)) {
        this.#first ??= origin;
        this.unknown.add(span.type, document.text.slice(span.start, span.end));
        return [];
      }
      const type = mapType(span.type, this.scheme);
      return type === null ? [] : [{ ...span, type }];
    });
    return { ...document, spans };
  }

  /** The types that the scheme neither has nor maps, as `TypeNames` has them, with their numbers of spans. */
  unmapped(): Record<string, number> {
    return this.unknown.counts();
  }

  /** Throws `label-unknown` with every type of the corpus that the scheme does not know, and where the first stands. */
  refuseUnmapped(corpus: string): void {
    const unknown = Object.keys(this.unmapped());
    if (unknown.length === 0) return;
    const problem = describeUnknown(unknown, this.scheme);
    const first = this.#first === undefined ? '' : ` (first at ${this.#first})`;
    throw new TacetError('label-unknown', `${corpus}${first}: ${problem}`);
  }
}
