import { commonPieces, type Piece } from '../../../../models/certification/common-pieces.js';
import type { EncodingJob } from '../job/encoding-job.js';
import type { SentenceTable } from '../sentences/sentence-table.js';

/**
 * The pieces in which sentences of a job leave, once they are encoded: so that at least `labelDocuments` of its
 * documents have the labels of each. What entities are replaced by has a length of its own, which tells nothing of
 * where they stand.
 */
export class LabelPieces {
  /** Of sentences that do not leave whole. */
  readonly #cut = new Map<number, readonly Piece[]>();

  constructor(
    private readonly table: Pick<
      SentenceTable,
      'labelsOf' | 'documentOf' | 'tokensOf' | 'isReleased'
    >,
    order: Uint32Array,
    {
      labelDocuments,
      inventory,
      keptTypes,
    }: Pick<EncodingJob, 'labelDocuments' | 'inventory' | 'keptTypes'>,
  ) {
    if (labelDocuments <= 1) return;
    const sentences = {
      size: order.length,
      labelsOf: (i: number) => table.labelsOf(order[i] as number),
      documentOf: (i: number) => table.documentOf(order[i] as number),
      isNew: (i: number) => !table.isReleased(order[i] as number),
    };
    const tellsLength = (type: number) => !inventory || keptTypes.has(type);
    for (const [i, pieces] of commonPieces(sentences, labelDocuments, tellsLength))
      this.#cut.set(order[i] as number, pieces);
  }

  of(sentence: number): readonly Piece[] {
    return this.#cut.get(sentence) ?? [{ start: 0, end: this.table.tokensOf(sentence) }];
  }

  /** Whether a token of a sentence leaves. */
  holds(sentence: number, token: number): boolean {
    return this.of(sentence).some(({ start, end }) => start <= token && token < end);
  }

  /** Tokens that leave of a sentence. */
  tokensOf(sentence: number): number {
    const cut = this.#cut.get(sentence);
    if (!cut) return this.table.tokensOf(sentence);
    return cut.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** How many there are of a sentence. */
  countOf(sentence: number): number {
    return this.#cut.get(sentence)?.length ?? 1;
  }
}
