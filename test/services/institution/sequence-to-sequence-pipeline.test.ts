import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import { describeBundle } from '../../../models/bundle/describe.js';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { readManifest } from '../../../models/bundle/manifest.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Deidentifier } from '../../../models/networks/deidentifier.js';
import { DEIDENTIFIER_DEFAULTS } from '../../../models/networks/deidentifier-config.js';
import { tag } from '../../../models/networks/tagger.js';
import { Random } from '../../../models/tensor/random.js';
import { loadLabelScheme } from '../../../models/text/label-scheme.js';
import { openTaggingModel } from '../../../services/institution/bundles/tagging-model.js';
import { findPhi } from '../../../services/institution/deidentify/recognisers/find-phi.js';
import { WORDS } from './notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from './publisher.js';

const TEXT = `${WORDS.join(' ')}. ${[...WORDS].reverse().join(' ')}`;

describe('a pipeline bundle of a sequence-to-sequence de-identifier', () => {
  let publisher: Publisher;
  let bundle: string;
  let spans: unknown;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    bundle = join(publisher.root, 'sequence-to-sequence');
    const scheme = loadLabelScheme('hipaa-binary');
    const embeddings = await embeddingsOf(publisher);
    const deidentifier = Deidentifier.create(
      {
        ...{ ...DEIDENTIFIER_DEFAULTS, network: 'sequence-to-sequence', phiWeight: 2 },
        ...{ inputDimension: embeddings.dimension, labels: scheme.labels.length },
        ...{ units: 8, layers: 2, heads: 2, reach: 4, characters: 'cnn' },
      },
      new Random(3),
    );
    const vocabulary = new Vocabulary(embeddings, { characters: true });
    spans = tag(TEXT, { deidentifier, vocabulary, scheme });
    const contents = describeBundle(
      { deidentifier },
      {
        ...{ name: 'sequence-to-sequence', version: '1.0.0', scheme, embeddings },
        ...{ embeddingsName: 'tiny', scores: { binaryF1: 0 } },
        training: { objective: 'none', corpus: 'tiny', documents: 10, seed: 1 },
      },
    );
    await createBundle(bundle, contents, await readPrivateKey(publisher.privateKeyFile));
  });
  afterAll(() => removePublisher(publisher));

  test('finds what the de-identifier found that it was made of, with its scores and any threshold', async () => {
    const model = await openTaggingModel(bundle, {
      trustedKeys: [await readPublicKey(publisher.publicKeyFile)],
      embeddings: await embeddingsOf(publisher),
    });
    expect(tag(TEXT, model)).toEqual(spans);
    expect(await findPhi(TEXT, model, { threshold: 0.01 })).not.toEqual([]);
  });

  test('states its network, and a network that nobody knows is refused by name', async () => {
    const manifest = readManifest(await readFile(join(bundle, 'manifest.json')));
    const { deidentifier } = manifest.architecture;
    expect(deidentifier).toMatchObject({ network: 'sequence-to-sequence', heads: 2, phiWeight: 2 });
    const other = {
      ...manifest,
      architecture: { deidentifier: { ...deidentifier, network: 'another' } },
    };
    expect(() => readManifest(Buffer.from(JSON.stringify(other)))).toThrow(
      expect.objectContaining({
        code: 'bundle-invalid',
        message: expect.stringMatching(/architecture\.deidentifier\.network/),
      }),
    );
  });
});
