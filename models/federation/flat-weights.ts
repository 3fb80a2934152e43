import type { NamedArray, NamedArrays } from '../networks/named-arrays.js';
import type { Parameters } from '../networks/parameters.js';

/** All weights of a network, one after another in the order in which it names them: [N]. */
export function flatWeights(parameters: Parameters): Float32Array {
  const arrays = Object.values(parameters.toArrays());
  const flat = new Float32Array(arrays.reduce((sum, { data }) => sum + data.length, 0));
  let from = 0;
  for (const { data } of arrays) {
    flat.set(data, from);
    from += data.length;
  }
  return flat;
}

/** Takes over what `flatWeights` of a network alike gave. Throws `checkpoint-invalid` for another number. */
export function loadFlat(parameters: Parameters, flat: Float32Array): void {
  parameters.load(namedWeights(parameters, flat));
}

/** Numbers for all weights, [N], by the name and in the shape of each. */
export function namedWeights(parameters: Parameters, flat: Float32Array): NamedArrays {
  const arrays: Record<string, NamedArray> = {};
  let from = 0;
  for (const [name, { shape, data }] of Object.entries(parameters.toArrays())) {
    const part = flat.slice(from, from + data.length);
    // Too short a part is refused by its shape.
    arrays[name] = { shape: part.length === data.length ? shape : [part.length], data: part };
    from += data.length;
  }
  return arrays;
}
