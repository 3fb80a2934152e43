import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBundle } from '../../../models/bundle/bundle.js';
import { createKeyFiles, readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import type { ManifestFields } from '../../../models/bundle/manifest.js';
import { noiseOf } from '../../../models/bundle/noise.js';
import { joinParts } from '../../../models/bundle/parts.js';
import { statedScheme } from '../../../models/bundle/stated-scheme.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import { Representation } from '../../../models/networks/representation.js';
import { createInventory } from '../../../models/surrogates/create-inventory.js';
import type { InventoryFile } from '../../../models/surrogates/inventory.js';
import { useBackend } from '../../../models/tensor/backend.js';
import { Random } from '../../../models/tensor/random.js';
import { type LabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { TOKENISATION } from '../../../models/text/tokeniser.js';
import { ModelThread } from '../../../services/encoder/model-thread.js';
import {
  type EncodingModel,
  openEncodingModel,
} from '../../../services/institution/bundles/encoding-model.js';

const EMBEDDING_DIMENSION = 8;
const DIMENSION = 6;
const UNITS = 5;

/** Files of a publisher who made a small representation and a small pipeline, both untrained. */
export interface Publisher {
  readonly root: string;
  /** A `.vec` file. */
  readonly embeddingsFile: string;
  readonly publicKeyFile: string;
  readonly privateKeyFile: string;
  readonly representation: string;
  readonly pipeline: string;
}

/** `own`: a label scheme that does not come with Tacet; `phi-binary` without it. */
export async function createPublisher(
  words: readonly string[],
  own?: LabelScheme,
): Promise<Publisher> {
  await useBackend();
  const root = await mkdtemp(join(tmpdir(), 'tacet-publisher-'));
  const embeddingsFile = join(root, 'words.vec');
  await writeFile(embeddingsFile, vectorsText(words));
  const { identity } = await embeddingsOf({ root, embeddingsFile });
  const keys = await createKeyFiles(join(root, 'keys'));
  const privateKey = await readPrivateKey(keys.privateKeyFile);

  const scheme = own ?? loadLabelScheme('phi-binary');
  const random = new Random(1);
  const representation = Representation.create(
    {
      embeddingDimension: EMBEDDING_DIMENSION,
      units: UNITS,
      casing: true,
      dimension: DIMENSION,
      initialInputStddev: 0.2,
      initialOutputStddev: 0.5,
    },
    random,
  );
  const deidentifier = Deidentifier.create(
    {
      ...DEIDENTIFIER_DEFAULTS,
      casing: false,
      inputDimension: DIMENSION,
      labels: scheme.labels.length,
      units: UNITS,
    },
    random,
  );
  const { name, version, labels, digest } = scheme;
  const fields: ManifestFields = {
    name: 'tiny',
    version: '1.0.0',
    kind: 'representation',
    tokenisation: TOKENISATION,
    labelScheme: own ? statedScheme(own) : { name, version, labels, digest },
    embeddings: { identity, dimension: EMBEDDING_DIMENSION, name: 'tiny' },
    architecture: { representation: representation.config },
    training: { objective: 'none', corpus: 'tiny', documents: 10, seed: 1 },
    noise: noiseOf(representation),
    scores: { binaryF1: 0 },
  };
  const inventory = await tinyInventory(scheme, words);
  const parts = { representation: representation.parameters.toArrays() };
  await createBundle(
    join(root, 'representation'),
    { fields, weights: joinParts(parts), inventory },
    privateKey,
  );
  await createBundle(
    join(root, 'pipeline'),
    {
      fields: {
        ...fields,
        name: 'tiny-pipeline',
        kind: 'pipeline',
        architecture: { ...fields.architecture, deidentifier: deidentifier.config },
      },
      weights: joinParts({ ...parts, deidentifier: deidentifier.parameters.toArrays() }),
      inventory,
    },
    privateKey,
  );
  representation.dispose();
  deidentifier.dispose();
  return {
    root,
    embeddingsFile,
    ...keys,
    representation: join(root, 'representation'),
    pipeline: join(root, 'pipeline'),
  };
}

export function embeddingsOf({
  root,
  embeddingsFile,
}: Pick<Publisher, 'root' | 'embeddingsFile'>): Promise<Embeddings> {
  return openEmbeddings(embeddingsFile, { cacheDir: cacheOf(root) });
}

/** Where the converted embeddings are kept. */
export function cacheOf(root: string): string {
  return join(root, 'cache');
}

export async function encodingModelOf(publisher: Publisher): Promise<EncodingModel> {
  await useBackend();
  return openEncodingModel(publisher.representation, {
    trustedKeys: [await readPublicKey(publisher.publicKeyFile)],
    embeddings: await embeddingsOf(publisher),
  });
}

/** Both bundles, on a thread of their own. */
export async function threadOf(publisher: Publisher): Promise<ModelThread> {
  process.env.TACET_CACHE = cacheOf(publisher.root);
  return ModelThread.start({
    trust: { trustedKeys: [await readPublicKey(publisher.publicKeyFile)] },
    embeddings: publisher.embeddingsFile,
    model: publisher.representation,
    pipeline: publisher.pipeline,
  });
}

export function removePublisher({ root }: Publisher): Promise<void> {
  return rm(root, { recursive: true });
}

function vectorsText(words: readonly string[]): string {
  const random = new Random(2);
  const lines = words.map((word) => `${word} ${random.normals(EMBEDDING_DIMENSION).join(' ')}`);
  return `${words.length} ${EMBEDDING_DIMENSION}\n${lines.join('\n')}\n`;
}

/** Of every other word, as if those were public names. */
function tinyInventory(scheme: LabelScheme, words: readonly string[]): Promise<InventoryFile> {
  const text = words.filter((_, i) => i % 2 === 0).join('\n');
  return createInventory(scheme, { lists: [{ name: 'words', type: 'PHI', text }] });
}
