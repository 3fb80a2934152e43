import { TacetError } from '../../proto/errors.js';
import type { Manifest } from './manifest.js';
import { OWN_DOCUMENTS } from './trained-on.js';

/**
 * Refuses a model with `bundle-invalid` where nobody could tell from its manifest what it was trained
 * on and how well it does, which an older bundle may lack and can still be used; with `model-unsuitable` one whose
 * de-identifier reads words beside released vectors, since it learned from some house's own notes.
 */
export function requirePublishable(manifest: Manifest): void {
  const { name, version, training, scores, architecture } = manifest;
  if (architecture.deidentifier?.wordDimension !== undefined)
    throw new TacetError(
      'model-unsuitable',
      `${name} ${version} learned from notes in clear beside what others released, and stays where these are; publish ` +
        'what `tacet train pooled` makes without --own',
    );
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
