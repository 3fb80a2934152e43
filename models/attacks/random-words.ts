import type { View } from '../networks/view.js';
import { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { viewOf } from './baseline-views.js';

/** Not zero, so that likelihoods and distances stay defined, but too little to hide a unit vector. */
const NEARLY_NONE = 1e-3;

/**
 * Random data in place of word vectors: each word has a random unit vector of length E, the same wherever it stands,
 * and is released as it is. Nothing is learnt of such vectors but whether two of them are the same, which is what the
 * tasks of the adversary ask (Friedrich et al. 2019, section 5.3: it learns them on random data).
 */
export function randomWords(dimension: number, seed: number): View {
  const random = new Random(seed);
  const known = new Map<number, Float32Array>();
  const vectorOf = (id: number) => {
    const found = known.get(id) ?? unitVector(random.fork(`word ${id}`).normals(dimension));
    known.set(id, found);
    return found;
  };
  return viewOf(
    {
      inputDimension: dimension,
      embed: (_, ids, steps) => {
        const values = new Float32Array(ids.length * dimension);
        ids.forEach((id, at) => {
          if (id >= 0) values.set(vectorOf(id), at * dimension);
        });
        return tf.tensor3d(values, [ids.length / steps, steps, dimension]);
      },
      mean: (x) => x.clone(),
      config: { dimension },
    },
    {
      input: () => tf.zeros([dimension]),
      output: () => tf.fill([dimension], NEARLY_NONE),
    },
  );
}

function unitVector(normals: Float32Array): Float32Array {
  const norm = Math.hypot(...normals);
  return normals.map((value) => value / norm);
}
