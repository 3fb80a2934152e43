import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../models/bundle/key-files.js';
import { readManifest } from '../../../models/bundle/manifest.js';
import { tag } from '../../../models/networks/tagger.js';
import { openTaggingModel } from '../../../services/institution/bundles/tagging-model.js';
import { findPhi } from '../../../services/institution/deidentify/recognisers/find-phi.js';
import { WORDS } from './notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from './publisher.js';
import { sequenceToSequenceBundle } from './sequence-to-sequence-bundle.js';

const TEXT = `${WORDS.join(' ')}. ${[...WORDS].reverse().join(' ')}`;

describe('a pipeline bundle of a sequence-to-sequence de-identifier', () => {
  let publisher: Publisher;
  let bundle: string;
  let spans: unknown;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    const made = await sequenceToSequenceBundle(publisher);
    bundle = made.bundle;
    spans = tag(TEXT, made.tagger);
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
