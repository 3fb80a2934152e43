import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { View } from '../../networks/view.js';
import type { Random } from '../../tensor/random.js';
import * as tf from '../../tensor/tf.js';
import { paddedIds } from '../../training/data/batch.js';
import type { Window } from './window.js';

/**
 * f(x + n) of windows of T tokens, under draws of the input noise n that all windows share: what stands as far
 * before or behind the first token of a window has the same noise in each.
 */
export class WindowMeans {
  /** Of each draw, noise of the most tokens that stand before a window, of its own, and of the most behind it. */
  readonly #noises: readonly Float32Array[];
  readonly #before: number;

  constructor(
    private readonly view: View,
    private readonly vocabulary: Vocabulary,
    windows: readonly Window[],
    draws: number,
    random: Random,
  ) {
    const I = view.inputDimension;
    const [{ start, end }] = windows;
    const before = windows.reduce((most, each) => Math.max(most, each.start), 0);
    const behind = windows.reduce((most, { ids, end }) => Math.max(most, ids.length - end), 0);
    this.#before = before;
    this.#noises = Array.from({ length: draws }, (_, draw) => {
      const own = random.normals((end - start) * I);
      if (before + behind === 0) return own;
      const noise = new Float32Array((before + behind) * I + own.length);
      // Drawn from the window outwards, so that it depends on no other windows.
      const drawn = random.fork(`before-${draw}`).normals(before * I);
      for (let t = 0; t < before; t++)
        noise.set(drawn.subarray(t * I, (t + 1) * I), (before - 1 - t) * I);
      noise.set(own, before * I);
      noise.set(random.fork(`behind-${draw}`).normals(behind * I), before * I + own.length);
      return noise;
    });
  }

  /** [V, T·d] */
  under(draw: number, windows: readonly Window[]): tf.Tensor2D {
    const V = windows.length;
    const lengths = Int32Array.from(windows, ({ ids }) => ids.length);
    const steps = Math.max(...lengths);
    const sentences = paddedIds(
      windows.map(({ ids }) => ids),
      steps,
    );
    const x = this.view.embed(this.vocabulary, sentences, steps); // [V, steps, I]
    const n = this.#noiseOf(windows, steps, draw).mul(this.view.inputStddev());
    const means = this.view.mean(x.add(n), lengths); // [V, steps, d]
    const T = windows[0].end - windows[0].start;
    if (T === steps) return means.reshape([V, -1]);
    const tokens = windows.flatMap(({ start }, v) =>
      Array.from({ length: T }, (_, t) => v * steps + start + t),
    );
    const rows = means.reshape<tf.Tensor2D>([V * steps, -1]);
    return tf.gather(rows, tf.tensor1d(tokens, 'int32')).reshape([V, -1]);
  }

  /** [V, steps, I], or [1, steps, I] where all windows begin with the same token. */
  #noiseOf(windows: readonly Window[], steps: number, draw: number): tf.Tensor3D {
    const I = this.view.inputDimension;
    const noise = this.#noises[draw];
    if (windows.every(({ start }) => start === this.#before))
      return tf.tensor3d(noise.subarray(0, steps * I), [1, steps, I]);
    const all = new Float32Array(windows.length * steps * I);
    for (const [v, { ids, start }] of windows.entries()) {
      const from = (this.#before - start) * I;
      all.set(noise.subarray(from, from + ids.length * I), v * steps * I);
    }
    return tf.tensor3d(all, [windows.length, steps, I]);
  }
}
