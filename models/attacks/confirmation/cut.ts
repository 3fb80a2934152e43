import { type Piece, piecesLike } from '../../certification/common-pieces.js';
import type { TextExample } from '../../training/data/examples.js';
import type { AuditTarget } from '../target.js';

/** Pieces that contributed sentences were cut into, and those that any other would have been cut into with them. */
export class Cut {
  readonly #pieces: AuditTarget['pieces'];
  readonly #labels: readonly Uint8Array[];

  /** `contributed` are the sentences that have a release, cut or whole. */
  constructor(
    { pieces }: Pick<AuditTarget, 'pieces'>,
    contributed: readonly TextExample[],
    private readonly isMasked: boolean,
  ) {
    this.#pieces = pieces;
    this.#labels = pieces
      ? contributed.flatMap((example) =>
          this.released(example).map(({ start, end }) => example.labels.subarray(start, end)),
        )
      : [];
  }

  /** Of a contributed sentence, the pieces that there are releases of. */
  released(example: TextExample): readonly Piece[] {
    return this.#pieces?.get(example) ?? [wholeOf(example)];
  }

  /**
   * Of sentences that an attacker holds, the pieces that they left as if they were contributed, by the labels that
   * were released: labels are in clear, and the rule by which sentences are cut is known.
   */
  held(examples: readonly TextExample[]): readonly (readonly Piece[])[] {
    if (!this.#pieces) return examples.map((example) => [wholeOf(example)]);
    const labels = examples.map((example) => example.labels);
    return piecesLike(this.#labels, labels, () => !this.isMasked);
  }
}

function wholeOf({ labels }: TextExample): Piece {
  return { start: 0, end: labels.length };
}
