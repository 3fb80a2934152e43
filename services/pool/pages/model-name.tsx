import type { VNode } from 'preact';
import { Digest } from '../../../platform/pages/digest.js';
import type { Store } from '../../../pool-store/store.js';

/** Models by name and version, by their digests; those that the store does not hold are not among them. */
export type ModelNames = ReadonlyMap<string, string>;

interface ModelNameProps {
  readonly names: ModelNames;
  readonly digest: string;
}

/** A model by name and version where this store holds it too, by its digest otherwise. */
export function ModelName({ names, digest }: ModelNameProps): VNode {
  const text = names.get(digest);
  return text === undefined ? <Digest of={digest} /> : <span>{text}</span>;
}

export async function modelNames(
  { models }: Store,
  digests: readonly string[],
): Promise<ModelNames> {
  const names = new Map<string, string>();
  for (const digest of new Set(digests)) {
    const model = await models.findByDigest(digest);
    if (model) names.set(digest, `${model.name} ${model.version}`);
  }
  return names;
}

/** To choose from, each under its name or the beginning of its digest. */
export async function namedModels(
  store: Store,
  digests: readonly string[],
): Promise<{ readonly digest: string; readonly text: string }[]> {
  const names = await modelNames(store, digests);
  return digests.map((digest) => ({
    digest,
    text: names.get(digest) ?? `${digest.slice(0, 12)}…`,
  }));
}
