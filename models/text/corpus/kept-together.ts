import { groupedBy } from '../../../platform/grouped-by.js';
import type { Document } from '../document.js';
import { NearCopies } from '../near-copies.js';
import { originOf } from './template-id.js';

/** What is asked of a document to know what it must not be parted from. */
export type Originated = Pick<Document, 'id' | 'text' | 'sentences'>;

/**
 * The documents that no split may part from each other: those of one origin (`originOf`, or as `originIn` has it), those
 * that are nearly the same, and whatever hangs together by these. Groups come in the order of their first documents, and
 * these in theirs.
 */
export function keptTogether<D extends Originated>(
  documents: readonly D[],
  originIn: (document: D) => string = originOf,
): D[][] {
  const groups = new Groups(documents.length);
  const firstOf = new Map<string, number>();
  const copies = new NearCopies();
  documents.forEach((document, number) => {
    const origin = originIn(document);
    const first = firstOf.get(origin);
    if (first === undefined) firstOf.set(origin, number);
    else groups.join(first, number);
    copies.add(document);
  });
  for (const [one, other] of copies.pairs()) groups.join(one, other);
  return groups.all().map((numbers) => numbers.map((number) => documents[number] as D));
}

/** Of each document, by its index, a number that those share which are kept together, by `originOf` or `originIn`. */
export function originsOf<D extends Originated>(
  documents: readonly D[],
  originIn?: (document: D) => string,
): ReadonlyMap<number, number> {
  const indices = new Map(documents.map((document, index) => [document, index] as const));
  return new Map(
    keptTogether(documents, originIn).flatMap((group, origin) =>
      group.map((document) => [indices.get(document) as number, origin] as const),
    ),
  );
}

/** Numbers from 0, each in a group of its own until two are joined. */
class Groups {
  /** Of each number a lower one of its group, or itself. */
  readonly #lower: number[];

  constructor(count: number) {
    this.#lower = Array.from({ length: count }, (_, number) => number);
  }

  join(one: number, other: number): void {
    const [least, most] = [this.#least(one), this.#least(other)].sort((a, b) => a - b);
    this.#lower[most as number] = least as number;
  }

  all(): number[][] {
    const numbers = this.#lower.map((_, number) => number);
    return [...groupedBy(numbers, (number) => this.#least(number)).values()];
  }

  #least(number: number): number {
    let least = number;
    while (this.#lower[least] !== least) least = this.#lower[least] as number;
    return least;
  }
}
