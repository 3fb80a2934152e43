import { TacetError } from '../../proto/errors.js';
import { TRAINED_VECTORS } from '../embeddings/vocabulary.js';
import { casingInputs, type DeidentifierConfig } from './deidentifier.js';
import type { NamedArrays } from './named-arrays.js';
import type { RepresentationConfig } from './representation.js';

/** The shape of every weight of a network, by name. */
export type WeightShapes = Readonly<Record<string, readonly number[]>>;

export function representationShapes(config: RepresentationConfig): WeightShapes {
  const { embeddingDimension: E, units: H, dimension: d } = config;
  return {
    trained: [TRAINED_VECTORS, E],
    'noise/input': [E],
    ...bilstmShapes('bilstm', E, H),
    'projection/kernel': [2 * H, d],
    'projection/bias': [d],
    ...(config.noise === 'dependent'
      ? { 'noise/output/kernel': [2 * H, d], 'noise/output/bias': [d] }
      : { 'noise/output': [d] }),
  };
}

export function deidentifierShapes(config: DeidentifierConfig): WeightShapes {
  const { inputDimension: D, labels: L, units: H, layers } = config;
  const stack = Array.from({ length: layers }, (_, layer) =>
    bilstmShapes(`bilstm-${layer}`, layer === 0 ? D + casingInputs(config) : 2 * H, H),
  );
  return Object.assign(
    {
      trained: [TRAINED_VECTORS, D],
      'emissions/kernel': [2 * H, L],
      'emissions/bias': [L],
      'crf/transitions': [L, L],
      'crf/start': [L],
      'crf/end': [L],
    },
    ...stack,
  );
}

/**
 * Throws `bundle-invalid` unless `weights` are those of `shapes`: no name missing, none more, each of
 * its shape, every number finite.
 */
export function requireWeights(network: string, weights: NamedArrays, shapes: WeightShapes): void {
  for (const [name, shape] of Object.entries(shapes)) {
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
    if (!Object.hasOwn(shapes, name))
      throw new TacetError('bundle-invalid', `${network}: it has no weight '${name}'`);
  }
}

function bilstmShapes(name: string, inputs: number, units: number): WeightShapes {
  const shapes: Record<string, readonly number[]> = {};
  for (const direction of ['forward', 'backward']) {
    shapes[`${name}/${direction}/kernel`] = [inputs, 4 * units];
    shapes[`${name}/${direction}/recurrent`] = [units, 4 * units];
    shapes[`${name}/${direction}/bias`] = [4 * units];
  }
  return shapes;
}
