import type { Piece } from '../../certification/common-pieces.js';
import type { TextExample } from '../../training/data/examples.js';
import type { Window } from '../likelihood/window.js';

/** A piece of a sentence as it is encoded: f sees the whole sentence, labels are those of the piece. */
export interface LabelledWindow extends Window {
  /** [end − start] */
  readonly labels: Uint8Array;
}

export function windowOf(
  { ids, labels }: Pick<TextExample, 'ids' | 'labels'>,
  { start, end }: Piece,
): LabelledWindow {
  return { ids, labels: labels.subarray(start, end), start, end };
}
