import {
  type PartialConfig,
  type TrainingConfig,
  trainingConfig,
} from '../../../models/training/configuration/config.js';
import { configOfKind } from '../../../models/training/configuration/config-of-kind.js';
import type { Kind } from '../../../models/training/configuration/config-schema.js';
import { namedConfiguration } from '../../../models/training/configuration/configurations.js';
import { readJsonFile } from '../../../platform/files/json-file.js';

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
