import { TacetError } from '../../proto/errors.js';
import {
  createLabelScheme,
  hasLabelScheme,
  type LabelScheme,
  loadLabelScheme,
} from '../text/label-scheme.js';
import type { Manifest } from './manifest.js';

type StatedScheme = Manifest['labelScheme'];

/**
 * A label scheme as a manifest carries it: all of it, so that a bundle needs no scheme file, but for what describes
 * where that is what is taken of one that does not say so: programs before this one refuse the field.
 */
export function statedScheme({
  name,
  version,
  labels,
  types,
  map,
  describes,
  digest,
}: LabelScheme): StatedScheme {
  const stated = { name, version, labels, types, map, digest };
  const isUnderstood = describedBy(stated).join() === describes.join();
  return isUnderstood ? stated : { ...stated, describes: [...describes] };
}

/**
 * The label scheme of a manifest: the one that it carries, or in older ones, which carry its name
 * alone, the one that comes with Tacet. Throws `bundle-invalid` where the parts of a carried scheme do
 * not belong together, and `model-unsuitable` where a manifest names a scheme that is not to be had.
 */
export function schemeOf(where: string, stated: StatedScheme): LabelScheme {
  const { name, version, types, map } = stated;
  if (types === undefined || map === undefined) return shippedScheme(where, stated);
  const describes = describedBy(stated);
  const scheme = createLabelScheme({ name, version, types, map, describes });
  const targets = [...Object.values(map), ...describes];
  const stray = targets.find((type) => type !== null && !types.includes(type));
  if (stray === undefined && scheme.digest === stated.digest && isSame(scheme, stated))
    return scheme;
  throw new TacetError(
    'bundle-invalid',
    `${where}: manifest.json: types, map, describes, labels and digest of the label scheme do not belong together`,
  );
}

function isSame({ labels }: LabelScheme, stated: StatedScheme): boolean {
  return (
    labels.length === stated.labels.length &&
    labels.every((label, id) => label === stated.labels[id])
  );
}

/**
 * The types of a stated scheme that describe. A bundle that does not say so has those of the scheme that comes
 * with Tacet, if that has its name and digest, and none otherwise.
 */
export function describedBy({ name, digest, describes }: StatedScheme): readonly string[] {
  if (describes) return describes;
  if (!/^[a-z0-9-]+$/.test(name) || !hasLabelScheme(name)) return [];
  const scheme = loadLabelScheme(name);
  return scheme.digest === digest ? scheme.describes : [];
}

function shippedScheme(where: string, { name, digest }: StatedScheme): LabelScheme {
  try {
    const scheme = loadLabelScheme(name);
    if (scheme.digest === digest) return scheme;
  } catch (error) {
    if (!(error instanceof TacetError)) throw error;
  }
  throw new TacetError(
    'model-unsuitable',
    `${where}: the manifest names the label scheme ${name} and does not carry it, and this version ` +
      `of tacet has none with its digest ${digest}; give the scheme's file with --scheme, or make ` +
      'the bundle anew',
  );
}
