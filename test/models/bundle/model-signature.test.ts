import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createBundle } from '../../../models/bundle/bundle.js';
import { countersignBundle, signModel } from '../../../models/bundle/countersign.js';
import { readEcPrivateKey, readEcPublicKey } from '../../../models/bundle/ec-key-files.js';
import { verifyBundle } from '../../../models/bundle/verify.js';
import { manifestFields, tinyWeights } from './manifest-fields.js';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('a bundle with a model.sig', () => {
  const publisher = generateKeyPairSync('ed25519');
  const curves = ['prime256v1', 'secp384r1', 'secp521r1'] as const;
  const keys = Object.fromEntries(
    curves.map((namedCurve) => [namedCurve, generateKeyPairSync('ec', { namedCurve })]),
  ) as Record<(typeof curves)[number], { publicKey: KeyObject; privateKey: KeyObject }>;
  const { publicKey, privateKey } = keys.prime256v1;
  const trust = { trustedKeys: [publisher.publicKey] };
  let root: string;
  let original: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-model-signature-'));
    original = join(root, 'original');
    const contents = { fields: manifestFields(), weights: tinyWeights(), modelKey: privateKey };
    await createBundle(original, contents, publisher.privateKey);
  });
  afterAll(() => rm(root, { recursive: true }));

  let copies = 0;
  const copy = async () => {
    const directory = join(root, `copy-${copies++}`);
    await cp(original, directory, { recursive: true });
    return directory;
  };
  const signatureOf = async (directory: string) =>
    JSON.parse(await readFile(join(directory, 'model.sig'), 'utf8'));

  test('verifies with the key that signed it, and without asking for it', async () => {
    await verifyBundle(original, trust);
    await verifyBundle(original, { ...trust, modelKey: publicKey });
  });

  test('is what the specification says, checked by its words alone', async () => {
    const { mediaType, verificationMaterial, dsseEnvelope } = await signatureOf(original);
    expect(mediaType).toBe('application/vnd.dev.sigstore.bundle.v0.3+json');
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    expect(verificationMaterial.publicKey.hint).toBe(sha256(pem));
    const payload = Buffer.from(dsseEnvelope.payload, 'base64');
    const message = `DSSEv1 28 application/vnd.in-toto+json ${payload.length} ${payload}`;
    const signature = Buffer.from(dsseEnvelope.signatures[0].sig, 'base64');
    expect(verify('sha256', Buffer.from(message), publicKey, signature)).toBe(true);

    const { subject, predicateType, predicate } = JSON.parse(payload.toString());
    expect(predicateType).toBe('https://model_signing/signature/v1.0');
    const resources: { name: string; digest: string }[] = predicate.resources;
    const names = resources.map(({ name }) => name);
    expect(names).toEqual([
      'MODEL_CARD.md',
      'manifest.json',
      'representation.onnx',
      'weights.safetensors',
    ]);
    expect(predicate.serialization).toEqual({
      method: 'files',
      hash_type: 'sha256',
      allow_symlinks: false,
      ignore_paths: ['model.sig', 'signature.json'],
    });
    for (const { name, digest } of resources)
      expect(digest).toBe(sha256(await readFile(join(original, name))));
    const root = sha256(Buffer.concat(resources.map(({ digest }) => Buffer.from(digest, 'hex'))));
    expect(subject).toEqual([{ name: manifestFields().name, digest: { sha256: root } }]);
  });

  test.each(curves)(
    'can be made later, by a key on %s, and stays when others sign',
    async (curve) => {
      const directory = await copy();
      await signModel(directory, keys[curve].privateKey, trust);
      const second = generateKeyPairSync('ed25519');
      await countersignBundle(directory, second.privateKey, trust);
      await verifyBundle(directory, { ...trust, modelKey: keys[curve].publicKey });
    },
  );

  test('is refused for another key', async () => {
    const asked = { ...trust, modelKey: keys.secp384r1.publicKey };
    await expect(verifyBundle(original, asked)).rejects.toMatchObject({ code: 'key-untrusted' });
  });

  test('is missed where a key is asked for and there is none', async () => {
    const directory = await copy();
    await rm(join(directory, 'model.sig'));
    await verifyBundle(directory, trust);
    const asked = { ...trust, modelKey: publicKey };
    await expect(verifyBundle(directory, asked)).rejects.toMatchObject({
      code: 'bundle-file-missing',
    });
  });

  test.each<[string, (signature: Awaited<ReturnType<typeof signatureOf>>) => unknown]>([
    ['is no JSON', () => 'none'],
    ['is of another format', (signature) => ({ ...signature, mediaType: 'other' })],
    [
      'is of other files',
      (signature) => {
        const { payload } = signature.dsseEnvelope;
        const changed = Buffer.from(payload, 'base64').toString().replace('MODEL_CARD', 'OTHER');
        const dsseEnvelope = {
          ...signature.dsseEnvelope,
          payload: Buffer.from(changed).toString('base64'),
        };
        return { ...signature, dsseEnvelope };
      },
    ],
  ])('is refused, whether or not a key is asked for, where it %s', async (_, change) => {
    const directory = await copy();
    const changed = change(await signatureOf(directory));
    await writeFile(join(directory, 'model.sig'), JSON.stringify(changed));
    for (const asked of [trust, { ...trust, modelKey: publicKey }])
      await expect(verifyBundle(directory, asked)).rejects.toMatchObject({
        code: 'bundle-signature',
      });
  });

  test('is refused where its signature is wrong', async () => {
    const directory = await copy();
    const signature = await signatureOf(directory);
    const other = await copy();
    await signModel(other, privateKey, trust);
    const { payload } = signature.dsseEnvelope;
    const text = Buffer.from(payload, 'base64').toString().replace('"_type"', ' "_type"');
    signature.dsseEnvelope.payload = Buffer.from(text).toString('base64');
    await writeFile(join(directory, 'model.sig'), JSON.stringify(signature));
    await expect(verifyBundle(directory, { ...trust, modelKey: publicKey })).rejects.toMatchObject({
      code: 'bundle-signature',
    });
  });

  test('its key files are refused where others may read them, or are of another kind', async () => {
    const file = join(root, 'key.pem');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    await writeFile(file, pem, { mode: 0o644 });
    await expect(readEcPrivateKey(file)).rejects.toMatchObject({ code: 'key-invalid' });
    const ed25519 = join(root, 'ed25519.pem');
    await writeFile(ed25519, publisher.publicKey.export({ type: 'spki', format: 'pem' }));
    await expect(readEcPublicKey(ed25519)).rejects.toMatchObject({
      code: 'key-invalid',
      message: expect.stringContaining(basename(ed25519)),
    });
  });
});

test('the same contents, time and key give the same bytes', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tacet-reproducible-'));
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const contents = {
    fields: manifestFields(),
    weights: tinyWeights(),
    created: new Date('2030-01-01T00:00:00Z'),
  };
  const made = [join(root, 'one'), join(root, 'two')];
  for (const directory of made) await createBundle(directory, contents, privateKey);
  const [one, two] = await Promise.all(
    made.map((directory) => verifyBundle(directory, { trustedKeys: [publicKey] })),
  );
  expect(one?.files).toEqual(two?.files);
  await rm(root, { recursive: true });
});
