import { TacetError } from '../../../proto/errors.js';
import { jsonCheck } from '../../../proto/json-check.js';
import type { TypeOf } from '../../../proto/typed-schema.js';
import { named } from '../../../proto/validator.js';
import type { DigitMoves } from '../../embeddings/digit-moves.js';
import { withoutRetiredKeys } from '../run/retired-keys.js';
import { CERTIFIED_DEFAULTS, type CertifiedConfig } from './certified-config.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { DANN_DEFAULTS, type DannConfig } from './dann-config.js';
import type { PseudonymsBy } from './pseudonyms-by.js';
import { type PhaseLimits, THREE_PHASE_DEFAULTS } from './three-phase-config.js';

/** One training run, whatever its kind; what a kind does not use is ignored by it. */
export interface TrainingConfig extends CertifiedConfig, DannConfig {
  readonly seed: number;
  /** N, the neighbours that `move` draws from (Friedrich et al. 2019 try 1 to 1,000). */
  readonly neighbours: number;
  /** What digits-only words move among. */
  readonly digitMoves: DigitMoves;
  /** Of kind `pseudonymized`. */
  readonly pseudonymsBy: PseudonymsBy;
  /** σ_out of the frozen representation, as a multiple of what training found. */
  readonly outputNoiseFactor: number;
  /** Share of the documents (pooled: of the sentences) that early stopping looks at. */
  readonly validationShare: number;
  readonly augmentation: {
    /** Pseudonymised copies that are trained on beside the notes themselves, of kind `augmented`. */
    readonly copies: number;
    /** Copies beside the notes whose entities are replaced, as those of institutions are; of every kind. */
    readonly replaced: number;
    /** How many of these are drawn; of more than `replaced`, each epoch has others in turn. */
    readonly drawn: number;
    /** α of PHICON: copies of the sentences that hold PHI, augmented (Yue and Zhou 2020); of every kind. */
    readonly alpha: number;
    /** In these, each PHI span becomes a random item of its type. */
    readonly phi: boolean;
    /** And the words around are replaced, or others inserted. */
    readonly context: boolean;
  };
  /** Limits of the runs that have a single phase. */
  readonly supervised: PhaseLimits;
  /**
   * How long the adversary learns on against a frozen representation: 50 epochs in Friedrich et al. 2019, sections 7.3
   * and 9, after gradient reversal 20 (section 7.3), with no patience.
   */
  readonly audit: PhaseLimits;
}

export const TRAINING_DEFAULTS: TrainingConfig = {
  ...THREE_PHASE_DEFAULTS,
  certified: CERTIFIED_DEFAULTS,
  dann: DANN_DEFAULTS,
  seed: 1,
  neighbours: 100,
  digitMoves: 'any',
  pseudonymsBy: 'token',
  outputNoiseFactor: 1,
  validationShare: 0.1,
  augmentation: { copies: 1, replaced: 0, drawn: 0, alpha: 0, phi: true, context: true },
  supervised: { maxEpochs: 60, patience: 5 },
  audit: { maxEpochs: 50, patience: 50 },
};

/** Any part of a configuration file; each section may name some of its keys. */
export type PartialConfig = TypeOf<typeof CONFIG_SCHEMA>;

const MOST_PROBLEMS = 20;
const MOST_KEYS = 100;

const validate = jsonCheck<PartialConfig>(CONFIG_SCHEMA, { allErrors: true, keywords: ['source'] });

/**
 * `defaults` overlaid with a configuration, whose retired keys are left out. Throws `config-invalid`, naming the first wrong
 * keys, or the keys that do not go together.
 */
export function trainingConfig(
  given: unknown,
  source = 'the configuration',
  defaults = TRAINING_DEFAULTS,
): TrainingConfig {
  const config = recordedConfig(given, source, defaults);
  const asked = (given as PartialConfig).augmentation?.drawn ?? 0;
  const { outputNoiseFactor, representation, augmentation } = config;
  if (outputNoiseFactor !== 1 && representation.noise === 'dependent')
    throw new TacetError(
      'config-invalid',
      `${source}: outputNoiseFactor is ${outputNoiseFactor}, and nothing multiplies noise that depends on the input: ` +
        'leave it out, or representation.noise',
    );
  if (asked > 0 && augmentation.replaced === 0)
    throw new TacetError(
      'config-invalid',
      `${source}: augmentation.drawn is ${asked} and augmentation.replaced 0, so that no copy would be drawn: set ` +
        'replaced to how many of the copies an epoch has, or leave drawn out',
    );
  return config;
}

/** As `trainingConfig`, of what a run recorded: keys that do not go together had no part in it. */
export function recordedConfig(
  given: unknown,
  source: string,
  defaults = TRAINING_DEFAULTS,
): TrainingConfig {
  requireFewKeys(given, source);
  const value = withoutRetiredKeys(given);
  if (!validate(value)) {
    const { errors } = validate;
    const problems = errors.slice(0, MOST_PROBLEMS).map(({ instancePath, message, params }) => {
      const key = 'additionalProperty' in params ? ` '${named(params.additionalProperty)}'` : '';
      return `${instancePath || '/'} ${message}${key}`;
    });
    if (errors.length > MOST_PROBLEMS) problems.push(`and ${errors.length - MOST_PROBLEMS} more`);
    throw new TacetError('config-invalid', `${source}: ${problems.join('; ')}`);
  }
  const overlaid = Object.entries(defaults).map(([key, usual]) => {
    const own = value[key as keyof PartialConfig];
    return [key, typeof own === 'object' ? { ...(usual as object), ...own } : (own ?? usual)];
  });
  return Object.fromEntries(overlaid) as unknown as TrainingConfig;
}

/** Of a configuration, and of each of its sections: each unknown one would be a problem of its own. */
function requireFewKeys(given: unknown, source: string): void {
  const isFull = (value: unknown) =>
    typeof value === 'object' && value !== null && Object.keys(value).length > MOST_KEYS;
  if (isFull(given) || Object.values(given ?? {}).some(isFull))
    throw new TacetError(
      'config-invalid',
      `${source}: expected ${MOST_KEYS} keys at most, and as many in a section; see tacet train describe`,
    );
}
