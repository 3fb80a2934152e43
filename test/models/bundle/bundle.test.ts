import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createBundle, weightsOf } from '../../../models/bundle/bundle.js';
import { countersignBundle } from '../../../models/bundle/countersign.js';
import {
  type ManifestFields,
  noiseLevel,
  parseManifestFields,
} from '../../../models/bundle/manifest.js';
import { readSignature, writeSignature } from '../../../models/bundle/signature-file.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import { type Envelope, keyIdOf, sign } from '../../../proto/dsse.js';
import { manifestFields, tinyWeights } from './manifest-fields.js';

const FILES = [
  'manifest.json',
  'weights.safetensors',
  'representation.onnx',
  'MODEL_CARD.md',
  'signature.json',
];
const weights = tinyWeights();

describe('a bundle', () => {
  let root: string;
  let original: string;
  let digest: string;
  const publisher = generateKeyPairSync('ed25519');
  const stranger = generateKeyPairSync('ed25519');
  const trusted = { trustedKeys: [publisher.publicKey] };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-bundle-'));
    original = join(root, 'original');
    digest = await createBundle(
      original,
      { fields: manifestFields(), weights },
      publisher.privateKey,
    );
  });
  afterAll(() => rm(root, { recursive: true }));

  test('is made where settings that all published models have are stated, and does not repeat them', async () => {
    const { architecture, ...fields } = manifestFields();
    const stated = { noise: 'constant', form: 'unit-length', unitInputs: false };
    const representation = { ...architecture.representation, ...stated };
    const directory = join(root, 'stated');
    await createBundle(
      directory,
      { fields: { ...fields, architecture: { representation } } as ManifestFields, weights },
      publisher.privateKey,
    );
    const { manifest } = await open(directory);
    expect(manifest.architecture).toEqual(architecture);
    const scaled = { representation: { ...representation, unitInputs: true } };
    expect(() => parseManifestFields({ ...fields, architecture: scaled })).toThrow(
      expect.objectContaining({
        code: 'bundle-invalid',
        message: expect.stringContaining('unitInputs'),
      }),
    );
  });

  let copies = 0;
  async function copy(): Promise<string> {
    const directory = join(root, `copy-${copies++}`);
    await cp(original, directory, { recursive: true });
    return directory;
  }
  const open = (directory: string, keys: KeyObject[] = [publisher.publicKey]) =>
    verifyBundle(directory, { trustedKeys: keys });

  test('opens with the weights and facts it was made of, named by its manifest', async () => {
    const bundle = await open(original);
    expect(weightsOf(bundle)).toEqual(weights);
    expect(bundle.manifest).toMatchObject(manifestFields());
    const manifest = await readFile(join(original, 'manifest.json'));
    expect(bundle.digest).toBe(createHash('sha256').update(manifest).digest('hex'));
    expect(digest).toBe(bundle.digest);
  });

  test('is never written over', async () => {
    await expect(
      createBundle(original, { fields: manifestFields(), weights }, publisher.privateKey),
    ).rejects.toMatchObject({ code: 'file-exists' });
  });

  test('has a model card that states scheme, embeddings, noise, corpus and use', async () => {
    const card = await readFile(join(original, 'MODEL_CARD.md'), 'utf8');
    for (const fact of ['tiny-scheme', 'e'.repeat(64), 'mean 0.5']) expect(card).toContain(fact);
    for (const fact of ['tiny-notes', 'Intended use', 'Not for']) expect(card).toContain(fact);
  });

  test('is refused at any changed byte of any file', async () => {
    const directory = await copy();
    for (const name of FILES) {
      const file = join(directory, name);
      const bytes = await readFile(file);
      const position = fc.nat(bytes.length - 1);
      await fc.assert(
        fc.asyncProperty(position, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
          const changed = Uint8Array.from(bytes);
          changed[at] = (bytes[at] as number) ^ flip;
          await writeFile(file, changed);
          await expect(open(directory)).rejects.toMatchObject({
            code: expect.stringMatching(
              name === 'signature.json' ? /^(bundle-signature|key-untrusted)$/ : /^bundle-digest$/,
            ),
          });
        }),
        { numRuns: 40 },
      );
      await writeFile(file, bytes);
    }
    await expect(open(directory)).resolves.toBeDefined();
  });

  test('is refused with the file and both digests named', async () => {
    const directory = await copy();
    const file = join(directory, 'weights.safetensors');
    const bytes = await readFile(file);
    await writeFile(file, Buffer.concat([bytes, Buffer.from([0])]));
    const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
    await expect(open(directory)).rejects.toThrow(
      new RegExp(`weights.safetensors.*${sha256(bytes)}.*${sha256(await readFile(file))}`),
    );
  });

  test.each(FILES)('without %s is refused', async (name) => {
    const directory = await copy();
    await rm(join(directory, name));
    await expect(open(directory)).rejects.toMatchObject({ code: 'bundle-file-missing' });
  });

  test('with a file more is refused', async () => {
    const directory = await copy();
    await writeFile(join(directory, 'setup.js'), '');
    await expect(open(directory)).rejects.toMatchObject({ code: 'bundle-file-extra' });
  });

  test('with a symbolic link or a folder in place of a file is refused', async () => {
    const linked = await copy();
    await rename(join(linked, 'weights.safetensors'), join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(linked, 'weights.safetensors'));
    await expect(open(linked)).rejects.toMatchObject({ code: 'bundle-file-unsafe' });
    const nested = await copy();
    await mkdir(join(nested, 'folder'));
    await expect(open(nested)).rejects.toMatchObject({ code: 'bundle-file-unsafe' });
  });

  test('of an unpinned publisher is refused', async () => {
    await expect(open(original, [stranger.publicKey])).rejects.toMatchObject({
      code: 'key-untrusted',
    });
    await expect(open(original, [])).rejects.toMatchObject({ code: 'key-untrusted' });
  });

  test('with the signature of another bundle is refused', async () => {
    const other = join(root, 'other');
    await createBundle(
      other,
      { fields: manifestFields(), weights: tinyWeights(2) },
      publisher.privateKey,
    );
    const directory = await copy();
    await cp(join(other, 'signature.json'), join(directory, 'signature.json'));
    await expect(open(directory)).rejects.toMatchObject({ code: 'bundle-signature' });
  });

  test('countersigned opens for those who trust either key, and for those who demand both', async () => {
    const directory = await copy();
    const both = [publisher.publicKey, stranger.publicKey];
    const all = { trustedKeys: both, signedBy: 'all' } as const;
    await expect(verifyBundle(directory, all)).rejects.toMatchObject({ code: 'key-untrusted' });
    const signers = await countersignBundle(directory, stranger.privateKey, trusted);
    expect(signers).toEqual(both.map(keyIdOf));
    for (const key of both) expect(await open(directory, [key])).toMatchObject({ digest });
    expect(await verifyBundle(directory, all)).toMatchObject({ digest });
    expect((await readdir(directory)).sort()).toEqual([...FILES].sort());
    expect(await countersignBundle(directory, stranger.privateKey, all)).toHaveLength(2);
  });

  test('that sixteen keys signed is signed by no other, and opens as before', async () => {
    const directory = await copy();
    const signAgain = () =>
      countersignBundle(directory, generateKeyPairSync('ed25519').privateKey, trusted);
    for (let i = 0; i < 15; i++) await signAgain();
    await expect(signAgain()).rejects.toMatchObject({ code: 'bundle-signature' });
    expect((await open(directory)).digest).toBe(digest);
  });

  test('is not countersigned by whom it cannot convince', async () => {
    const directory = await copy();
    await writeFile(join(directory, 'MODEL_CARD.md'), 'safe to use');
    await expect(countersignBundle(directory, stranger.privateKey, trusted)).rejects.toMatchObject({
      code: 'bundle-digest',
    });
    await expect(
      countersignBundle(await copy(), stranger.privateKey, { trustedKeys: [stranger.publicKey] }),
    ).rejects.toMatchObject({ code: 'key-untrusted' });
  });

  test('is refused where a trusted key’s signature is that of another bundle', async () => {
    const other = join(root, 'countersigned');
    await createBundle(
      other,
      { fields: manifestFields(), weights: tinyWeights(3) },
      publisher.privateKey,
    );
    const directory = await copy();
    await countersignBundle(directory, stranger.privateKey, trusted);
    await countersignBundle(other, stranger.privateKey, trusted);
    const read = async (from: string) =>
      readSignature(await readFile(join(from, 'signature.json')));
    const [own, foreign] = [await read(directory), await read(other)];
    const signatures = own.signatures.map((each, i) => (i === 0 ? each : foreign.signatures[i]));
    const mixed = writeSignature({ ...own, signatures } as Envelope);
    await writeFile(join(directory, 'signature.json'), mixed);
    expect(await open(directory)).toBeDefined();
    await expect(open(directory, [stranger.publicKey])).rejects.toMatchObject({
      code: 'bundle-signature',
    });
  });

  test('made with several keys is signed by each', async () => {
    const directory = join(root, 'joint');
    const keys = [publisher, stranger];
    const privateKeys = keys.map(({ privateKey }) => privateKey);
    await createBundle(directory, { fields: manifestFields(), weights }, ...privateKeys);
    const trustedKeys = keys.map(({ publicKey }) => publicKey);
    await expect(verifyBundle(directory, { trustedKeys, signedBy: 'all' })).resolves.toBeDefined();
  });

  test('with a signed payload that names a path outside of it is refused', async () => {
    const directory = await copy();
    const statement = {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: '../original/manifest.json', digest: { sha256: digest } }],
      predicateType: 'urn:tacet:bundle:v1',
      predicate: { name: 'tiny', version: '1.0.0' },
    };
    const envelope = sign(
      'application/vnd.in-toto+json',
      Buffer.from(JSON.stringify(statement)),
      publisher.privateKey,
    );
    await writeFile(join(directory, 'signature.json'), writeSignature(envelope));
    await expect(open(directory)).rejects.toMatchObject({ code: 'bundle-invalid' });
  });

  test('is verified whole before a weight is parsed', async () => {
    const directory = await copy();
    await writeFile(join(directory, 'weights.safetensors'), 'no weights at all');
    await expect(verifyBundle(directory, trusted)).rejects.toMatchObject({ code: 'bundle-digest' });
  });

  test('cannot be made of facts that the schema does not know', async () => {
    const fields = { ...manifestFields(), command: 'run me' };
    await expect(
      createBundle(join(root, 'bad'), { fields, weights }, publisher.privateKey),
    ).rejects.toMatchObject({ code: 'bundle-invalid' });
  });

  test.each([
    ['lack one', ({ 'representation/noise/output': _, ...rest }: typeof weights) => rest],
    [
      'hold one more',
      (all: typeof weights) => ({ ...all, extra: { shape: [1], data: Float32Array.of(1) } }),
    ],
    [
      'hold one more of the representation',
      (all: typeof weights) => ({
        ...all,
        'representation/extra': { shape: [1], data: Float32Array.of(1) },
      }),
    ],
    [
      'have another shape',
      (all: typeof weights) => ({
        ...all,
        'representation/noise/output': { shape: [1, 2], data: new Float32Array(2) },
      }),
    ],
    [
      'are no numbers',
      (all: typeof weights) => ({
        ...all,
        'representation/noise/output': { shape: [2], data: Float32Array.of(1, Number.NaN) },
      }),
    ],
  ])('cannot be made of weights that %s', async (_, change) => {
    await expect(
      createBundle(
        join(root, 'bad'),
        { fields: manifestFields(), weights: change(weights) },
        publisher.privateKey,
      ),
    ).rejects.toMatchObject({ code: 'bundle-invalid' });
  });

  test('states its noise as levels over the dimensions', () => {
    expect(noiseLevel(new Float32Array([0.5, 1, 1.5]))).toEqual({
      mean: 1,
      min: 0.5,
      max: 1.5,
      sumOfSquares: 3.5,
    });
  });
});
