/** Which PHI entities the documents of a job name, by the ledger's hash of them. */
export class DocumentEntities {
  readonly #numbers = new Map<string, number>();
  readonly #documents: Int32Array[] = [];
  readonly #current = new Set<number>();

  /** The document at hand names `entity`. */
  add(entity: string): void {
    const number = this.#numbers.get(entity) ?? this.#numbers.size;
    this.#numbers.set(entity, number);
    this.#current.add(number);
  }

  endDocument(): void {
    if (this.#current.size > 0) this.#documents.push(Int32Array.from(this.#current));
    this.#current.clear();
  }

  /** In the order of their first places. */
  get entities(): Iterable<string> {
    return this.#numbers.keys();
  }

  /** By document that names one, the places of its entities among `entities`. */
  get documents(): readonly Int32Array[] {
    return this.#documents;
  }

  get isEmpty(): boolean {
    return this.#numbers.size === 0;
  }
}
