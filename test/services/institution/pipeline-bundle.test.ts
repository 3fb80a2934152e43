import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { type Manifest, readManifest, writeManifest } from '../../../models/bundle/manifest.js';
import { writeSignature } from '../../../models/bundle/signature-file.js';
import { STATEMENT_PAYLOAD_TYPE, writeStatement } from '../../../models/bundle/statement.js';
import { tag } from '../../../models/networks/tagger.js';
import { sha256Hex } from '../../../proto/digest.js';
import { sign } from '../../../proto/dsse.js';
import { openTaggingModel } from '../../../services/institution/bundles/tagging-model.js';
import { WORDS } from './notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from './publisher.js';

type Deidentifier = NonNullable<Manifest['architecture']['deidentifier']>;

describe('a pipeline bundle', () => {
  let publisher: Publisher;
  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
  });
  afterAll(() => removePublisher(publisher));

  const open = async (directory: string) =>
    openTaggingModel(directory, {
      trustedKeys: [await readPublicKey(publisher.publicKeyFile)],
      embeddings: await embeddingsOf(publisher),
    });

  test('carries the graphs of both of its networks, a representation its own alone', async () => {
    const graphs = async (directory: string) =>
      (await readdir(directory)).filter((file) => file.endsWith('.onnx')).sort();
    expect(await graphs(publisher.pipeline)).toEqual(['deidentifier.onnx', 'representation.onnx']);
    expect(await graphs(publisher.representation)).toEqual(['representation.onnx']);
  });

  /** A copy whose manifest is another, signed by the same key. */
  const restated = async (name: string, change: (manifest: Manifest) => Manifest) => {
    const directory = join(publisher.root, name);
    await cp(publisher.pipeline, directory, { recursive: true });
    const manifest = change(readManifest(await readFile(join(directory, 'manifest.json'))));
    const bytes = writeManifest(manifest);
    const digests = new Map([
      ...Object.entries(manifest.files),
      ['manifest.json', sha256Hex(bytes)],
    ] as [string, string][]);
    const key = await readPrivateKey(publisher.privateKeyFile);
    const envelope = sign(STATEMENT_PAYLOAD_TYPE, writeStatement(manifest, digests), key);
    await writeFile(join(directory, 'manifest.json'), bytes);
    await writeFile(join(directory, 'signature.json'), writeSignature(envelope));
    return directory;
  };

  test('of an earlier version, which has no graph of its de-identifier, finds what it found', async () => {
    const earlier = await restated('earlier', ({ files, ...manifest }) => {
      const { 'deidentifier.onnx': _, ...others } = files;
      return { ...manifest, files: others };
    });
    await rm(join(earlier, 'deidentifier.onnx'));
    const text = WORDS.join(' ');
    expect(tag(text, await open(earlier))).toEqual(tag(text, await open(publisher.pipeline)));
  });

  test('whose de-identifier would read words that it does not have is refused', async () => {
    const other = await restated('other-words', ({ architecture, ...manifest }) => {
      const deidentifier = { ...(architecture.deidentifier as Deidentifier), wordDimension: 999 };
      return { ...manifest, architecture: { ...architecture, deidentifier } };
    });
    await expect(open(other)).rejects.toMatchObject({
      code: 'bundle-invalid',
      message: expect.stringMatching(/reads word vectors of 999 numbers beside representations/),
    });
  });
});
