import { ADVERSARY_DEFAULTS } from '../../../models/networks/adversary-config.js';
import type { NamedArrays } from '../../../models/networks/named-arrays.js';
import type { View } from '../../../models/networks/view.js';
import { LEARNER_DEFAULTS } from '../../../models/training/run/learner-options.js';
import { loadNetworks } from '../../../models/training/run/trained-networks.js';
import { TacetError } from '../../../proto/errors.js';
import { openFinishedRun } from '../../../study/runs/finished-run.js';

/** The adversary that an audit goes on from; without `start` a fresh one of its shape. */
export interface TrainingAdversary {
  readonly units: number;
  readonly start?: NamedArrays;
  /** Of its optimiser: what it learned at in training, at which it goes on. */
  readonly learningRate: number;
}

const FRESH: TrainingAdversary = {
  units: ADVERSARY_DEFAULTS.units,
  learningRate: LEARNER_DEFAULTS.learningRate,
};

/**
 * The adversary that a training run ended with, or a fresh one where none took part in it. Throws
 * `file-not-found` where no run has ended in `run`, and `config-invalid` where it attacked
 * representations of another shape, or the run's own configuration is none.
 */
export async function trainingAdversary(
  run: string | undefined,
  { inputDimension, config: { dimension } }: Pick<View, 'inputDimension' | 'config'>,
): Promise<TrainingAdversary> {
  if (run === undefined) return FRESH;
  const { configs, weights } = await loadNetworks(run);
  const config = configs.adversary;
  if (!config || !weights.adversary) return FRESH;
  if (config.inputDimension !== inputDimension || config.dimension !== dimension)
    throw new TacetError(
      'config-invalid',
      `${run}: its adversary attacks vectors of ${config.dimension} numbers from inputs of ` +
        `${config.inputDimension}, the bundle has ${dimension} from ${inputDimension}; give ` +
        'the run that the bundle was made of, or leave --run out',
    );
  const { learningRate } = (await openFinishedRun(run)).config.learner;
  return { units: Number(config.units), start: weights.adversary, learningRate };
}
