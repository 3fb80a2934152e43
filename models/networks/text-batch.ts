import { embedding, trainedRow, ZERO_ROW } from '../tensor/embedding.js';
import type * as tf from '../tensor/tf.js';
import type { LabelledText } from './text-network.js';

/** The sentences of a text side by side, padded: B of them, T the longest. */
export interface TextBatch {
  readonly steps: number;
  /** [B] */
  readonly lengths: Int32Array;
}

export function batchOfText(text: LabelledText): TextBatch {
  const lengths = Int32Array.from(text, ({ tokens }) => tokens.length);
  return { steps: lengths.reduce((most, length) => Math.max(most, length), 1), lengths };
}

/** [B·T] of one value a token, sentence after sentence; `padding` past the ends. */
export function padded(
  { steps, lengths }: TextBatch,
  values: ArrayLike<number>,
  padding: number,
): Int32Array {
  const rows = new Int32Array(lengths.length * steps).fill(padding);
  let from = 0;
  lengths.forEach((length, row) => {
    for (let t = 0; t < length; t++) rows[row * steps + t] = values[from + t] as number;
    from += length;
  });
  return rows;
}

/** The vectors of a text's tokens [tokens, E] where the tokens stand: [B, T, E], zeros past the ends. */
export function paddedVectors(batch: TextBatch, vectors: tf.Tensor2D): tf.Tensor3D {
  const [tokens, dimension] = vectors.shape;
  const places = Array.from({ length: tokens }, (_, token) => trainedRow(token));
  const rows = padded(batch, places, ZERO_ROW);
  const shape: [number, number, number] = [batch.lengths.length, batch.steps, dimension];
  return embedding(new Float32Array(0), vectors, rows).reshape(shape);
}

/** The inverse of `padded`: one value a token. */
export function unpadded({ steps, lengths }: TextBatch, rows: ArrayLike<number>): Uint8Array {
  return Uint8Array.from(
    Array.from(lengths).flatMap((length, row) =>
      Array.from({ length }, (_, t) => rows[row * steps + t] as number),
    ),
  );
}
