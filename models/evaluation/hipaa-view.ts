import { type LabelScheme, mapType } from '../text/label-scheme.js';

/** Which types count as HIPAA identifiers under a scheme, and which it does not know. */
export class HipaaView {
  readonly #unknown = new Set<string>();
  readonly #counted = new Map<string, boolean>();

  constructor(readonly scheme: LabelScheme) {}

  readonly counts = ({ type }: { readonly type: string }): boolean => {
    const known = this.#counted.get(type);
    if (known !== undefined) return known;
    const { map, types } = this.scheme;
    const isKnown = Object.hasOwn(map, type) || types.includes(type);
    if (!isKnown) this.#unknown.add(type);
    const counted = isKnown && mapType(type, this.scheme) !== null;
    this.#counted.set(type, counted);
    return counted;
  };

  /** Types met so far that the scheme does not know: scores without them would mislead. */
  get unknownTypes(): readonly string[] {
    return [...this.#unknown].sort();
  }
}
