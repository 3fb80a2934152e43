import { ELEMENT_BYTES, type ElementType, encodeElementsInto } from '../../proto/element.js';
import { nativeFunction } from '../tensor/addon.js';
import * as tf from '../tensor/tf.js';
import type { ReleasedBatch } from './release.js';

/** Writes the releases of a batch into elements [ΣT, d] of all sentences, which begin at `starts`. */
export type ElementWriter = (
  batch: ReleasedBatch,
  starts: Uint32Array,
  elements: Uint8Array,
) => void;

/** Of releases of d numbers a token. */
export function elementWriter(elementType: ElementType, dimension: number): ElementWriter {
  if (tf.getBackend() === 'native' && elementType === 'float16') {
    const write = nativeFunction('float16Sentences');
    return (batch, starts, elements) => write({ ...batch, starts, dimension, elements });
  }
  const tokenBytes = dimension * ELEMENT_BYTES[elementType];
  return ({ sentences, steps, vectors }, starts, elements) => {
    for (const [row, i] of sentences.entries()) {
      const [start, end] = [starts[i], starts[i + 1]];
      const from = row * steps * dimension;
      const values = vectors.subarray(from, from + (end - start) * dimension);
      const into = elements.subarray(start * tokenBytes, end * tokenBytes);
      encodeElementsInto(values, elementType, into);
    }
  };
}
