import { readFile } from 'node:fs/promises';
import {
  type PartialConfig,
  type TrainingConfig,
  trainingConfig,
} from '../../models/training/config.js';
import { TacetError } from '../../proto/errors.js';

/** The configuration of a run: the keys of a JSON file over `usual`, and that over the defaults. */
export async function readConfig(
  file: string | undefined,
  usual: PartialConfig = {},
): Promise<TrainingConfig> {
  if (file === undefined) return trainingConfig(usual);
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw new TacetError('file-not-found', `${file}: no such configuration file`, { cause });
  });
  return trainingConfig(parse(text, file), file, trainingConfig(usual));
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TacetError('config-invalid', `${file}: expected JSON`, { cause });
  }
}
