import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPrivateKey, readPublicKey } from '../../../models/bundle/key-files.js';
import { readManifest, writeManifest } from '../../../models/bundle/manifest.js';
import { writeSignature } from '../../../models/bundle/signature-file.js';
import { STATEMENT_PAYLOAD_TYPE, writeStatement } from '../../../models/bundle/statement.js';
import { tag } from '../../../models/networks/tagger.js';
import { sha256Hex } from '../../../proto/digest.js';
import { sign } from '../../../proto/dsse.js';
import { openTaggingModel } from '../../../services/institution/bundles/tagging-model.js';
import { WORDS } from './notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from './publisher.js';

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

  test('of an earlier version, which has no graph of its de-identifier, finds what it found', async () => {
    const earlier = join(publisher.root, 'earlier');
    await cp(publisher.pipeline, earlier, { recursive: true });
    await rm(join(earlier, 'deidentifier.onnx'));
    const manifest = readManifest(await readFile(join(earlier, 'manifest.json')));
    const { 'deidentifier.onnx': _, ...files } = manifest.files;
    const bytes = writeManifest({ ...manifest, files });
    const digests = new Map([...Object.entries(files), ['manifest.json', sha256Hex(bytes)]] as [
      string,
      string,
    ][]);
    const statement = writeStatement(manifest, digests);
    const key = await readPrivateKey(publisher.privateKeyFile);
    await writeFile(join(earlier, 'manifest.json'), bytes);
    await writeFile(
      join(earlier, 'signature.json'),
      writeSignature(sign(STATEMENT_PAYLOAD_TYPE, statement, key)),
    );
    const text = WORDS.join(' ');
    expect(tag(text, await open(earlier))).toEqual(tag(text, await open(publisher.pipeline)));
  });
});
