import { TacetError } from '../../../../proto/errors.js';
import type { EncodingJob } from '../job/encoding-job.js';
import type { SentenceTable } from '../sentences/sentence-table.js';

/**
 * Whether sentences that leave together are of enough documents, so that they are no patient's alone.
 *
 * Where some were never released before, those alone are counted: who can tell the others, from their
 * first release, must not be left with one patient's. A sentence counts for the first document that
 * holds it, so copies of a document count nothing, nor does one without a sentence to release.
 */
export class Quorum {
  readonly #all = new Set<number>();
  readonly #withNew = new Set<number>();

  constructor(private readonly least: number) {}

  /** A sentence of `document`; `isNew` where nobody released it before. */
  add(document: number, isNew: boolean): void {
    this.#all.add(document);
    if (isNew) this.#withNew.add(document);
  }

  get isMet(): boolean {
    return this.documents >= this.least;
  }

  /** Those that count. */
  get documents(): number {
    return this.#withNew.size > 0 ? this.#withNew.size : this.#all.size;
  }
}

/** Tells of one sentence of a table after another whether no release of it was met before. */
export type Newness = (sentence: number) => boolean;

/**
 * As the table knows it: neither an earlier job released the sentence, nor does it stand among those asked about before.
 * Where notes leave in copies, all sentences are one that are alike but for their entities.
 */
export function newnessIn(
  table: Pick<SentenceTable, 'hashOf' | 'alikeOf' | 'isReleased'>,
  {
    maxReleases,
    minDocuments,
    copies,
  }: Pick<EncodingJob, 'maxReleases' | 'minDocuments' | 'copies'>,
): Newness {
  // Then all are new, or nobody asks.
  if (maxReleases === 1 || minDocuments <= 1) return () => true;
  const met = new Set<string>();
  return (sentence) => {
    if (table.isReleased(sentence)) return false;
    const own = copies > 1 ? table.alikeOf(sentence) : table.hashOf(sentence);
    const hash = own.toString('latin1');
    if (met.has(hash)) return false;
    met.add(hash);
    return true;
  };
}

/** Why sentences may not leave that are of fewer than `least` documents: `documents-too-few`. */
export function quorumRefusal(
  table: Pick<SentenceTable, 'documentOf'>,
  sentences: Iterable<number>,
  isNew: Newness,
  least: number,
): TacetError | undefined {
  const quorum = new Quorum(least);
  for (const sentence of sentences) quorum.add(table.documentOf(sentence), isNew(sentence));
  if (quorum.isMet || quorum.documents === 0) return undefined;
  return new TacetError(
    'documents-too-few',
    `documents that are encoded together with something new to release: ${quorum.documents}, the least by ` +
      `policy is ${least}; gather more notes and encode them together with these`,
  );
}
