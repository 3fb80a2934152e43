import type { Span } from '../../../../models/text/document.js';
import type { LabelScheme } from '../../../../models/text/label-scheme.js';

/**
 * Labelled entities that a scheme says are no PHI: they are encoded as they stand, among the rest of the text. Numbers of them by
 * type, in the order in which the types came.
 */
export class SpansAsText {
  readonly #counts = new Map<string, number>();
  readonly #types: ReadonlySet<string>;

  constructor({ map }: LabelScheme) {
    this.#types = new Set(Object.keys(map).filter((type) => map[type] === null));
  }

  /** Of a document, once however many copies of it leave. */
  add(spans: readonly Span[]): void {
    for (const { type } of spans) if (this.#types.has(type)) this.#add(type, 1);
  }

  /** As `counts` gave them. */
  join(counts: Readonly<Record<string, number>>): void {
    for (const [type, count] of Object.entries(counts)) this.#add(type, count);
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  #add(type: string, count: number): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + count);
  }
}

/** The types and their numbers, as people read them; undefined where there is none. */
export function describeAsText(counts: Readonly<Record<string, number>>): string | undefined {
  const all = Object.entries(counts);
  return all.length === 0 ? undefined : all.map(([type, count]) => `${type} (${count})`).join(', ');
}
