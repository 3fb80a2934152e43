import {
  type PartialConfig,
  type TrainingConfig,
  trainingConfig,
} from '../../../models/training/config.js';
import type { Kind } from '../../../models/training/config-schema.js';
import { namedConfiguration } from '../../../models/training/configurations.js';
import { readJsonFile } from '../../../platform/files/json-file.js';
import { TacetError } from '../../../proto/errors.js';

const CONFIGURATION = {
  what: "configuration file, nor a configuration of that name; 'tacet train describe' lists them",
  code: 'config-invalid',
} as const;

/**
 * The configuration of a run: the keys of a JSON file, or of a configuration that Tacet comes with,
 * over `usual`, and that over the defaults. One that is for another kind than `kind` is refused.
 */
export async function readConfig(
  fileOrName: string | undefined,
  usual: PartialConfig = {},
  kind?: Kind,
): Promise<TrainingConfig> {
  if (fileOrName === undefined) return trainingConfig(usual);
  const config = namedConfiguration(fileOrName) ?? (await readJsonFile(fileOrName, CONFIGURATION));
  return configOfKind(config, fileOrName, kind, trainingConfig(usual));
}

/** The keys of `value` over `usual`, unless they are for another kind; `source` names them in errors. */
export function configOfKind(
  value: unknown,
  source: string,
  kind?: Kind,
  usual?: TrainingConfig,
): TrainingConfig {
  const config = trainingConfig(value, source, usual);
  const { kind: intended } = value as PartialConfig;
  if (kind === undefined || intended === undefined || intended === kind) return config;
  throw new TacetError(
    'config-invalid',
    `${source} is a configuration for 'tacet train ${intended}', not for '${kind}'`,
  );
}
