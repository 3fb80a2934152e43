import path from 'node:path';
import { inventoryOf, weightsOf } from '../../models/bundle/bundle.js';
import { readPublicKey } from '../../models/bundle/key-files.js';
import { partOf } from '../../models/bundle/parts.js';
import { representedBy } from '../../models/bundle/represented.js';
import { schemeOf } from '../../models/bundle/stated-scheme.js';
import { verifyBundle } from '../../models/bundle/verify.js';
import type { Embeddings } from '../../models/embeddings/embeddings.js';
import { Representation } from '../../models/networks/representation.js';
import type { Inventory } from '../../models/surrogates/inventory.js';
import { type LabelScheme, loadLabelScheme } from '../../models/text/label-scheme.js';
import { isThere } from '../../platform/files/is-there.js';
import { TacetError } from '../../proto/errors.js';
import { openRepresentation } from '../runs/frozen.js';

/** A representation that is attacked, to be disposed of. */
export interface Attacked {
  readonly name: string;
  /** Where its manifest and its weights lie. */
  readonly folder: string;
  readonly representation: Representation;
  readonly scheme: LabelScheme;
  /** What it replaces entities by; undefined of a frozen run, which comes without. */
  readonly inventory?: Inventory | undefined;
}

/**
 * One that is ready, of `representations`, or a frozen run. Throws as `verifyBundle` and `openFrozen`, and
 * `model-unsuitable` where the word vectors are others.
 */
export async function openAttacked(directory: string, embeddings: Embeddings): Promise<Attacked> {
  const publisher = path.join(directory, 'publisher.pem');
  if (await isThere(publisher)) return openReady(directory, publisher, embeddings);
  return {
    ...{ name: path.basename(directory), folder: directory },
    representation: await openRepresentation(directory, embeddings),
    scheme: loadLabelScheme('meddocan'),
  };
}

async function openReady(
  directory: string,
  publisher: string,
  { identity }: Embeddings,
): Promise<Attacked> {
  const folder = path.join(directory, 'bundle');
  const verified = await verifyBundle(folder, { trustedKeys: [await readPublicKey(publisher)] });
  const { name, labelScheme, embeddings } = verified.manifest;
  if (embeddings.identity !== identity)
    throw new TacetError('model-unsuitable', `${folder}: expected word vectors ${embeddings.name}`);
  const { representation: config } = representedBy(folder, verified.manifest);
  const weights = partOf(weightsOf(verified), 'representation');
  return {
    ...{ name, folder, scheme: schemeOf(folder, labelScheme), inventory: inventoryOf(verified) },
    representation: Representation.fromWeights(config, weights),
  };
}
