import { Ajv } from 'ajv';
import { TacetError } from '../../proto/errors.js';
import { CERTIFIED_DEFAULTS, type CertifiedConfig } from './certified.js';
import { DANN_DEFAULTS, type DannConfig } from './dann.js';
import { DISTANCES } from './distance-from-chance.js';
import { type PhaseLimits, THREE_PHASE_DEFAULTS } from './three-phase.js';

/** One training run, whatever its kind; what a kind does not use is ignored by it. */
export interface TrainingConfig extends CertifiedConfig, DannConfig {
  readonly seed: number;
  /** N, the neighbours that `move` draws from (Friedrich et al. 2019 try 1 to 1,000). */
  readonly neighbours: number;
  /** Share of the documents (pooled: of the sentences) that early stopping looks at. */
  readonly validationShare: number;
  /** Training on pseudonymised copies beside the notes themselves. */
  readonly augmentation: { readonly copies: number };
  /** Limits of the runs that have a single phase. */
  readonly supervised: PhaseLimits;
  /** How long an audit's adversary learns on (Friedrich et al. 2019, section 5.3). */
  readonly audit: PhaseLimits;
}

export const TRAINING_DEFAULTS: TrainingConfig = {
  ...THREE_PHASE_DEFAULTS,
  certified: CERTIFIED_DEFAULTS,
  dann: DANN_DEFAULTS,
  seed: 1,
  neighbours: 100,
  validationShare: 0.1,
  augmentation: { copies: 1 },
  supervised: { maxEpochs: 60, patience: 5 },
  audit: { maxEpochs: 50, patience: 10 },
};

const positiveInteger = { type: 'integer', minimum: 1 };
const positive = { type: 'number', exclusiveMinimum: 0 };
const weight = { type: 'number', minimum: 0 };
const rate = { type: 'number', minimum: 0, exclusiveMaximum: 1 };

function section(properties: Record<string, object>) {
  return { type: 'object', additionalProperties: false, properties };
}

const epochs = { type: 'integer', minimum: 0 };
const limits = { maxEpochs: epochs, patience: positiveInteger };
const phase = section(limits);

const SCHEMA = section({
  seed: { type: 'integer', minimum: 0 },
  neighbours: positiveInteger,
  validationShare: { type: 'number', exclusiveMinimum: 0, maximum: 0.5 },
  batchSentences: positiveInteger,
  lambda: weight,
  representation: section({
    units: positiveInteger,
    dimension: positiveInteger,
    initialInputStddev: positive,
    initialOutputStddev: positive,
  }),
  deidentifier: section({
    units: positiveInteger,
    layers: positiveInteger,
    inputDropout: rate,
    recurrentDropout: rate,
    outputDropout: rate,
    casing: { type: 'boolean' },
  }),
  adversary: section({ units: positiveInteger }),
  learner: section({ learningRate: positive, clipNorm: positive }),
  P1: phase,
  P2: phase,
  P3: section({
    ...limits,
    distance: { enum: DISTANCES },
    accuracyWeight: weight,
    rampEpochs: epochs,
    adversaryEpochs: positiveInteger,
    representationRate: positive,
    adversaries: positiveInteger,
    refreshEvery: epochs,
    warmupEpochs: epochs,
  }),
  collapsedStddev: weight,
  augmentation: section({ copies: positiveInteger }),
  supervised: phase,
  audit: phase,
  certified: section({ ...limits, lambda: weight, warmupEpochs: epochs }),
  dann: section({ ...limits, lambda: weight, gamma: positive, rampEpochs: positiveInteger }),
});

/** Any part of a configuration file; each section may name some of its keys. */
export type PartialConfig = {
  readonly [K in keyof TrainingConfig]?: TrainingConfig[K] extends number
    ? number
    : Partial<TrainingConfig[K]>;
};

const validate = new Ajv({ allErrors: true }).compile<PartialConfig>(SCHEMA);

/** `defaults` overlaid with a configuration. Throws `config-invalid`, naming every wrong key. */
export function trainingConfig(
  value: unknown,
  source = 'the configuration',
  defaults = TRAINING_DEFAULTS,
): TrainingConfig {
  if (!validate(value)) {
    const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const key = 'additionalProperty' in params ? ` '${params.additionalProperty}'` : '';
      return `${instancePath || '/'} ${message}${key}`;
    });
    throw new TacetError('config-invalid', `${source}: ${problems.join('; ')}`);
  }
  const overlaid = Object.entries(defaults).map(([key, usual]) => {
    const given = value[key as keyof PartialConfig];
    return [key, typeof given === 'object' ? { ...(usual as object), ...given } : (given ?? usual)];
  });
  return Object.fromEntries(overlaid) as unknown as TrainingConfig;
}
