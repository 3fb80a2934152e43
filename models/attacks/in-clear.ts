import { isPhi } from '../certification/move.js';
import * as tf from '../tensor/tf.js';
import type { TextExample } from '../training/data/examples.js';
import type { Mention } from './likelihood/mention.js';

/** A token, the one before it and the one after it. */
const AROUND = [0, -1, 1];
const PLACE = 3;
const EACH = 2;

/** C, numbers that `inClear` gives for a mention. */
export const IN_CLEAR = PLACE + AROUND.length * EACH;

/**
 * What anyone sees of mentions without the vectors, [P, C]: lengths, places, and where PHI and
 * its types begin.
 */
export function inClear(mentions: readonly Mention[]): tf.Tensor2D {
  const rows = mentions.flatMap(({ example, position }) => [
    ...placeOf(example, position),
    ...AROUND.flatMap((by) => tokenOf(example, position, position + by)),
  ]);
  return tf.tensor2d(rows, [mentions.length, IN_CLEAR]);
}

function placeOf(example: TextExample, position: number): number[] {
  const { length } = example.labels;
  const phi = example.labels.filter((label) => label > 0).length;
  return [Math.log(length) / 2, position / length, phi / length];
}

function tokenOf(example: TextExample, mention: number, position: number): number[] {
  const there = position >= 0 && position < example.labels.length;
  const phi = there && isPhi(example, position);
  const alike = there && example.labels[position] === example.labels[mention];
  return [Number(phi), Number(alike)];
}
