import path from 'node:path';
import { writeAtomically } from '../../../platform/files/draft-file.js';
import { bytesIfThere, textIfThere } from '../../../platform/files/optional-file.js';
import { TacetError } from '../../../proto/errors.js';
import { readSafetensors, writeSafetensors } from '../../bundle/safetensors.js';
import type { NamedArray, NamedArrays } from '../../networks/named-arrays.js';
import type { Parameters } from '../../networks/parameters.js';

/** The networks that a run ends with: `networks.json` says how they are built. */
export interface TrainedNetworks {
  readonly configs: Readonly<Record<string, Readonly<Record<string, number | boolean | string>>>>;
  readonly weights: Readonly<Record<string, NamedArrays>>;
}

/** A network as `networksOf` takes it. */
export interface TrainedNetwork {
  readonly config: object;
  readonly parameters: Parameters;
}

export function networksOf(networks: Readonly<Record<string, TrainedNetwork>>): TrainedNetworks {
  const entries = Object.entries(networks);
  return {
    configs: Object.fromEntries(entries.map(([name, { config }]) => [name, { ...config }])),
    weights: Object.fromEntries(
      entries.map(([name, { parameters }]) => [name, parameters.toArrays()]),
    ),
  };
}

/** Written last: a run that has it has come to its end. */
export const NETWORKS_FILE = 'networks.json';
const WEIGHTS = 'networks.safetensors';

export async function saveNetworks(directory: string, networks: TrainedNetworks): Promise<void> {
  const arrays: Record<string, NamedArray> = {};
  for (const [network, weights] of Object.entries(networks.weights)) {
    for (const [name, array] of Object.entries(weights)) arrays[`${network}/${name}`] = array;
  }
  const configs = `${JSON.stringify(networks.configs, null, 2)}\n`;
  await writeAtomically(path.join(directory, WEIGHTS), [writeSafetensors(arrays)]);
  await writeAtomically(path.join(directory, NETWORKS_FILE), configs);
}

/**
 * Throws `file-not-found` where no run has ended in `directory`, `checkpoint-invalid` where an array of it is of no
 * network.
 */
export async function loadNetworks(directory: string): Promise<TrainedNetworks> {
  const configs = await textIfThere(path.join(directory, NETWORKS_FILE));
  const weights = await bytesIfThere(path.join(directory, WEIGHTS));
  if (configs === undefined || weights === undefined) {
    throw new TacetError(
      'file-not-found',
      `${directory} holds no trained networks: train first, or let the run end`,
    );
  }
  return {
    configs: JSON.parse(configs) as TrainedNetworks['configs'],
    weights: splitByNetwork(readSafetensors(weights), path.join(directory, WEIGHTS)),
  };
}

/**
 * `{'representation/bilstm/…': array}` to `{representation: {'bilstm/…': array}}`. The names are the file's, and may be
 * those of what an object inherits.
 */
function splitByNetwork(arrays: NamedArrays, file: string): Record<string, NamedArrays> {
  const networks: Record<string, Record<string, NamedArray>> = Object.create(null);
  for (const [key, array] of Object.entries(arrays)) {
    const slash = key.indexOf('/');
    if (slash < 1)
      throw new TacetError(
        'checkpoint-invalid',
        `${file} holds ${JSON.stringify(key)}, expected network/name: put back the file that the training wrote`,
      );
    const network = key.slice(0, slash);
    networks[network] ??= Object.create(null) as Record<string, NamedArray>;
    networks[network][key.slice(slash + 1)] = array;
  }
  return networks;
}
