import { TacetError } from '../../proto/errors.js';
import type { Random } from '../tensor/random.js';
import type { NamedArrays } from './named-arrays.js';

/** A weight before training: its shape, and how it starts. */
export interface InitialWeight {
  readonly shape: readonly number[];
  /** Row by row, as many numbers as the shape has. */
  draw(random: Random): Float32Array;
}

/** The weights of a network by name: the one place that says what it has. */
export type InitialWeights = Readonly<Record<string, InitialWeight>>;

/** A gigabyte. */
const MOST_WEIGHTS = 2 ** 28;

/** Fresh weights, drawn in the order in which they are named. Throws `config-invalid` where there would be too many. */
export function drawWeights(initial: InitialWeights, random: Random): NamedArrays {
  const count = Object.values(initial).reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  if (count > MOST_WEIGHTS)
    throw new TacetError(
      'config-invalid',
      `a network would have ${count} weights, and at most ${MOST_WEIGHTS} are trained: choose fewer units, layers or ` +
        'dimensions',
    );
  return Object.fromEntries(
    Object.entries(initial).map(([name, { shape, draw }]) => [name, { shape, data: draw(random) }]),
  );
}

/**
 * Throws `bundle-invalid` unless `weights` are those of a network: no name missing, none more, each of
 * its shape, every number finite.
 */
export function requireWeights(
  network: string,
  weights: NamedArrays,
  initial: InitialWeights,
): void {
  for (const [name, { shape }] of Object.entries(initial)) {
    const found = weights[name];
    if (!found || found.shape.join() !== shape.join())
      throw new TacetError(
        'bundle-invalid',
        `${network}: weight '${name}' should be [${shape}], found ` +
          `${found ? `[${found.shape}]` : 'nothing'}; manifest and weights do not belong together`,
      );
    if (!found.data.every(Number.isFinite))
      throw new TacetError('bundle-invalid', `${network}: weight '${name}' is not finite`);
  }
  for (const name of Object.keys(weights)) {
    if (!Object.hasOwn(initial, name))
      throw new TacetError('bundle-invalid', `${network}: it has no weight '${name}'`);
  }
}

function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}
