import { typeOfLabel } from '../../../../models/certification/entity.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';
import { TacetError } from '../../../../proto/errors.js';

/** Types of a label scheme whose labelled entities are kept where those of the others are replaced. */
export class KeptTypes {
  /** As a manifest lists them, see `KEPT_TYPES`. */
  readonly names: readonly string[];
  /** By number, from 1, as labels have it. */
  readonly #numbers: ReadonlySet<number>;

  /**
   * Throws `type-names-somebody` for a type that the scheme does not say describes, and `label-unknown` for
   * one that it does not have.
   */
  constructor(names: Iterable<string>, scheme: LabelScheme) {
    this.names = [...new Set(names)].sort();
    for (const name of this.names) requireDescribing(name, scheme);
    this.#numbers = new Set(this.names.map((name) => scheme.types.indexOf(name) + 1));
  }

  /** Whether a type is one of them, by its number from 1. */
  has(type: number): boolean {
    return this.#numbers.has(type);
  }

  /** Labels [T] of these types alone: a token of any other is as one that is no PHI. */
  labelsIn(labels: Uint8Array): Uint8Array {
    return labels.map((label) => (this.has(typeOfLabel(label)) ? label : 0));
  }
}

function requireDescribing(type: string, { name, types, map, describes }: LabelScheme): void {
  if (describes.includes(type)) return;
  const kept =
    describes.length === 0 ? 'it says of none that it does' : `those are ${describes.join(', ')}`;
  if (types.includes(type))
    throw new TacetError(
      'type-names-somebody',
      `${type}: entities of this type name somebody, so they are replaced always; only of types that describe, ` +
        `by the label scheme ${name}, may entities be kept: ${kept}`,
    );
  const mapped = Object.hasOwn(map, type) ? map[type] : undefined;
  const instead = mapped ? `; ${type} of a corpus is ${mapped} there` : '';
  throw new TacetError(
    'label-unknown',
    `${type}: label scheme ${name} of the model has no such type to keep entities of${instead}; ${kept}`,
  );
}
