import { setImmediate } from 'node:timers/promises';
import type { Random } from '../../tensor/random.js';
import { scoped } from '../../tensor/scoped.js';
import type { TextExample } from '../../training/data/examples.js';
import { chunks } from '../chunks.js';
import { observe } from '../likelihood/observe.js';
import type { AuditTarget } from '../target.js';

/** Sentences that the moments are taken over, at most. */
const MOST_SENTENCES = 500;

/**
 * Any vectors whatever: each token's vector Gaussian by itself, with the mean and the variance that tokens of
 * the population have. It is what a release looks like that no sentence of the attacker is near to.
 */
export class Background {
  private constructor(
    /** [d] */
    private readonly mean: Float64Array,
    /** [d] */
    private readonly variance: Float64Array,
    /** [d] */
    private readonly outputStddev: Float32Array,
  ) {}

  static async of(
    { representation, vocabulary }: Pick<AuditTarget, 'representation' | 'vocabulary'>,
    population: readonly TextExample[],
    random: Random,
  ): Promise<Background> {
    const d = representation.config.dimension;
    const [sums, squares] = [new Float64Array(d), new Float64Array(d)];
    let tokens = 0;
    for (const batch of chunks(population.slice(0, MOST_SENTENCES))) {
      const sentences = batch.map(({ ids }) => ids);
      const steps = Math.max(...sentences.map(({ length }) => length));
      const released = scoped(() =>
        observe(representation, vocabulary, sentences, random).dataSync<'float32'>(),
      );
      sentences.forEach(({ length }, row) => {
        for (let i = row * steps * d; i < (row * steps + length) * d; i++) {
          sums[i % d] += released[i];
          squares[i % d] += released[i] ** 2;
        }
        tokens += length;
      });
      await setImmediate();
    }
    const mean = sums.map((sum) => sum / tokens);
    const variance = squares.map((square, k) =>
      Math.max(square / tokens - mean[k] ** 2, Number.EPSILON),
    );
    const outputStddev = scoped(() =>
      Float32Array.from(representation.outputStddev().dataSync<'float32'>()),
    );
    return new Background(mean, variance, outputStddev);
  }

  /** log p(release [T·d]), up to the constant that `likelihoods` leaves out. */
  logOf(release: Float32Array): number {
    const d = this.mean.length;
    let sum = 0;
    for (let i = 0; i < release.length; i++) {
      const k = i % d;
      const variance = this.variance[k] as number;
      sum += ((release[i] as number) - (this.mean[k] as number)) ** 2 / variance;
      sum += Math.log(variance / (this.outputStddev[k] as number) ** 2);
    }
    return -sum / 2;
  }
}
