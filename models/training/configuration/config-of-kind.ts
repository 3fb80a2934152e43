import { TacetError } from '../../../proto/errors.js';
import { type PartialConfig, type TrainingConfig, trainingConfig } from './config.js';
import type { Kind } from './config-schema.js';

/**
 * The keys of `value` over `usual`; `source` names them in errors. Throws `config-invalid` where a key is wrong, they
 * are for another kind, or a pooled run would train nothing.
 */
export function configOfKind(
  value: unknown,
  source: string,
  kind?: Kind,
  usual?: TrainingConfig,
): TrainingConfig {
  const config = trainingConfig(value, source, usual);
  const { kind: intended } = value as PartialConfig;
  if (kind === 'pooled' && config.supervised.maxEpochs === 0)
    throw new TacetError(
      'config-invalid',
      `${source}: supervised.maxEpochs is 0, so that nothing would be trained: expected 1 or more`,
    );
  if (kind === undefined || intended === undefined || intended === kind) return config;
  throw new TacetError(
    'config-invalid',
    `${source} is a configuration for 'tacet train ${intended}', not for '${kind}'`,
  );
}
