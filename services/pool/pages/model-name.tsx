import type { VNode } from 'preact';
import { Digest } from '../../../platform/pages/digest.js';
import type { Store } from '../../../pool-store/store.js';

/** A model by name and version where this store holds it too, by its digest otherwise. */
export function ModelName({
  store,
  digest,
}: {
  readonly store: Store;
  readonly digest: string;
}): VNode {
  const text = modelText(store, digest);
  return text === undefined ? <Digest of={digest} /> : <span>{text}</span>;
}

/** Undefined where the store does not hold it. */
export function modelText({ models }: Store, digest: string): string | undefined {
  const model = models.findByDigest(digest);
  return model && `${model.name} ${model.version}`;
}
