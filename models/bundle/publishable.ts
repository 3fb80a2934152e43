import { TacetError } from '../../proto/errors.js';
import type { Manifest } from './manifest.js';
import { OWN_DOCUMENTS } from './trained-on.js';

/**
 * Refuses a model with `bundle-invalid` where nobody could tell from its manifest what it was trained
 * on and how well it does. An older bundle may lack that and can still be used.
 */
export function requirePublishable({ name, version, training, scores }: Manifest): void {
  const has = (...facts: readonly string[]) => facts.some((fact) => Object.hasOwn(training, fact));
  const missing = [
    ...(has('objective') ? [] : ['training.objective']),
    ...(has('corpus', 'snapshot') ? [] : ['training.corpus (its name), or training.snapshot']),
    ...(has('documents', 'sentences', OWN_DOCUMENTS) ? [] : ['training.documents (how many)']),
    ...(has('seed') ? [] : ['training.seed']),
    ...(Object.keys(scores).length > 0 ? [] : ['scores (what was measured)']),
  ];
  if (missing.length === 0) return;
  throw new TacetError(
    'bundle-invalid',
    `${name} ${version}: what is published must say what it was trained on and how well it does; ` +
      `missing from manifest.json: ${missing.join(', ')}; add that and make the bundle again`,
  );
}
