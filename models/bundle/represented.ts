import { TacetError } from '../../proto/errors.js';
import type { RepresentationConfig } from '../networks/representation-config.js';
import type { Manifest, Noise } from './manifest.js';

/** What a manifest says of the vectors that may leave. */
export interface Represented {
  readonly representation: RepresentationConfig;
  readonly noise: Noise;
}

/** Throws `model-unsuitable` where the bundle at `where` holds no representation. */
export function representedBy(
  where: string,
  { architecture: { representation }, noise }: Pick<Manifest, 'architecture' | 'noise'>,
): Represented {
  if (representation && noise) return { representation, noise };
  throw new TacetError(
    'model-unsuitable',
    `${where}: this bundle holds no representation: it finds PHI in text, for tacet deidentify; ` +
      'nothing can be encoded with it',
  );
}
