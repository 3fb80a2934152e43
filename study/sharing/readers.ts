import { Random } from '../../models/tensor/random.js';
import { TacetError } from '../../proto/errors.js';
import { partSites, type Site } from '../runs/sites.js';
import type { SharingOptions } from './sharing-result.js';

/** Whose text a network learns from, and the places that read with it. */
export function* readersOf(
  options: SharingOptions,
): Generator<readonly [string[], readonly Site[]]> {
  const { provider, sites, config } = options;
  if (!provider)
    throw new TacetError('usage', 'own text: name whose notes are public with --provider');
  const { measured } = partSites(options, new Random(config.seed));
  const sharing = new Set(sites.map(({ name }) => name));
  for (const { name } of sites)
    yield [[provider.name, name], measured.filter((place) => place.name === name)];
  yield [[provider.name], measured.filter(({ name }) => !sharing.has(name))];
}
