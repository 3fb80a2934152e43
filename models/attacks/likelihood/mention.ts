import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import type { TextExample } from '../../training/data/examples.js';
import type { AuditTarget } from '../target.js';
import { observeNotes } from './observe.js';

/** One token in its sentence. */
export interface Mention {
  readonly example: TextExample;
  readonly position: number;
}

/** The vectors of tokens, each from a release of its own sentence, [P, d]. */
export function mentionVectors(
  target: AuditTarget,
  mentions: readonly Mention[],
  random: Random,
): tf.Tensor2D {
  const examples = mentions.map(({ example }) => example);
  const released = observeNotes(target, examples, random); // [P, T, d]
  const [, T, d] = released.shape;
  const values = released.dataSync<'float32'>();
  const rows = new Float32Array(mentions.length * d);
  mentions.forEach(({ position }, i) => {
    const from = (i * T + position) * d;
    rows.set(values.subarray(from, from + d), i * d);
  });
  return tf.tensor2d(rows, [mentions.length, d]);
}
