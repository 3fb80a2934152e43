import { TacetError } from '../../proto/errors.js';
import type { SentenceTable } from './sentence-table.js';

type Origins = Pick<SentenceTable, 'documentOf' | 'isReleased'>;

/** Whether sentences that leave together are of enough documents, so that they are no patient's alone. */
export class Quorum {
  readonly #documents = new Set<number>();

  constructor(private readonly least: number) {}

  add(document: number): void {
    // More are not counted: a job has many.
    if (!this.isMet) this.#documents.add(document);
  }

  get isMet(): boolean {
    return this.#documents.size >= this.least;
  }

  get documents(): number {
    return this.#documents.size;
  }
}

/**
 * Refuses sentences of fewer than `least` documents. Where some were never released before, those
 * alone are counted: who can tell the others, from their first release, must not be left with one
 * patient's. A sentence counts for the first document that holds it, so copies of a document count
 * nothing, nor does one without a sentence to release. Throws `release-refused`.
 */
export function requireQuorum(table: Origins, sentences: Iterable<number>, least: number): void {
  const [fresh, all] = [new Quorum(least), new Quorum(least)];
  for (const sentence of sentences) {
    all.add(table.documentOf(sentence));
    if (!table.isReleased(sentence)) fresh.add(table.documentOf(sentence));
  }
  const counted = fresh.documents > 0 ? fresh : all;
  if (counted.isMet || counted.documents === 0) return;
  throw new TacetError(
    'release-refused',
    `documents of the job with something new to release: ${counted.documents}, the least by ` +
      `policy is ${least}; gather more notes and encode them together with these`,
  );
}
