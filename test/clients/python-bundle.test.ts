import { createHash, generateKeyPairSync, type KeyObject, sign as rawSign } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { SchemaObject } from 'ajv';
import { createBundle } from '../../models/bundle/bundle.js';
import { countersignBundle, signModel } from '../../models/bundle/countersign.js';
import { parseManifest } from '../../models/bundle/manifest.js';
import { readSignature, writeSignature } from '../../models/bundle/signature-file.js';
import { schemeOf, statedScheme } from '../../models/bundle/stated-scheme.js';
import { type Trust, verifyBundle } from '../../models/bundle/verify.js';
import { Random } from '../../models/tensor/random.js';
import { createLabelScheme } from '../../models/text/label-scheme.js';
import { type Envelope, keyIdOf, sign } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { manifestFields, tinyWeights } from '../models/bundle/manifest-fields.js';
import { runUnittest, testWithPython } from './run-python.js';

const FILES = [
  'manifest.json',
  'weights.safetensors',
  'representation.onnx',
  'MODEL_CARD.md',
  'signature.json',
];
const STATEMENT_TYPE = 'application/vnd.in-toto+json';

/** The rest of a label scheme of a house. */
const OWN = { types: ['NAME', 'JOB'], map: { NAME: 'NAME', ROOM: null }, describes: ['JOB'] };

function withScheme(manifest: string, rest: object): string {
  const stated = JSON.parse(manifest);
  return JSON.stringify({ ...stated, labelScheme: { ...stated.labelScheme, ...rest } });
}

/** Label schemes as manifests state them, and the types of each or the code that it is refused with. */
function schemes(): unknown[] {
  const scheme = createLabelScheme({ name: 'own-house', version: '1', ...OWN });
  const stated = statedScheme(scheme);
  const changed = [{ describes: ['WARD'] }, { map: { NAME: 'WARD' } }, { types: ['NAME'] }];
  return [{}, { describes: [] }, ...changed].map((change) => {
    const each = { ...stated, ...change };
    try {
      return { stated: each, outcome: schemeOf('a bundle', each).types };
    } catch (error) {
      if (error instanceof TacetError) return { stated: each, outcome: error.code };
      throw error;
    }
  });
}

interface Keys {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly objects: Readonly<Record<string, Keys>>;
}

/** The keys of an object of a JSON schema, and of those in it. */
function keysOf({ properties, required = [] }: SchemaObject): Keys {
  const names = Object.keys(properties);
  const objects = names.filter((name) => properties[name].properties !== undefined);
  return {
    required: names.filter((name) => required.includes(name)).sort(),
    optional: names.filter((name) => !required.includes(name)).sort(),
    objects: Object.fromEntries(objects.map((name) => [name, keysOf(properties[name])])),
  };
}

describe('the Python client and bundles', () => {
  let root: string;
  const publisher = generateKeyPairSync('ed25519');
  const stranger = generateKeyPairSync('ed25519');
  const pems: Readonly<Record<string, KeyObject>> = {
    'publisher.pem': publisher.publicKey,
    'stranger.pem': stranger.publicKey,
  };
  const cases: unknown[] = [];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tacet-python-bundle-'));
    for (const [file, key] of Object.entries(pems))
      writeFileSync(join(root, file), key.export({ type: 'spki', format: 'pem' }));
    const ids = Object.entries(pems).map(([file, key]) => [file, keyIdOf(key)]);
    writeFileSync(join(root, 'keys.json'), JSON.stringify(Object.fromEntries(ids)));
    const weights = tinyWeights();
    const plain = Object.entries(weights).map(([name, { shape, data }]) => [
      name,
      { shape, data: [...data] },
    ]);
    writeFileSync(join(root, 'weights.json'), JSON.stringify(Object.fromEntries(plain)));
    await makeBundles();
    const write = (name: string, value: unknown) =>
      writeFileSync(join(root, name), JSON.stringify(value));
    write('bundles.json', cases);
    write('schemes.json', schemes());
    write('manifest-keys.json', keysOf(parseManifest.schema));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** Notes what `verifyBundle` makes of a bundle. */
  async function judge(
    bundle: string,
    keys: readonly string[] = ['publisher.pem'],
    signedBy: NonNullable<Trust['signedBy']> = 'any',
  ): Promise<void> {
    const trustedKeys = keys.map((file) => pems[file] as KeyObject);
    const outcome = await verifyBundle(join(root, bundle), { trustedKeys, signedBy }).then(
      ({ digest, keyIds, files }) => ({ digest, keyIds, files: [...files.keys()].sort() }),
      (error: unknown) => {
        if (error instanceof TacetError) return { code: error.code };
        throw error;
      },
    );
    cases.push({ bundle, keys, signedBy, outcome });
  }

  async function changed(
    name: string,
    change: (folder: string) => unknown,
    from = 'original',
  ): Promise<string> {
    await cp(join(root, from), join(root, name), { recursive: true });
    await change(join(root, name));
    await judge(name);
    return name;
  }

  async function makeBundles(): Promise<void> {
    const contents = (seed: number) => ({ fields: manifestFields(), weights: tinyWeights(seed) });
    await createBundle(join(root, 'original'), contents(1), publisher.privateKey);
    await createBundle(join(root, 'other'), contents(2), publisher.privateKey);
    const both = Object.keys(pems);
    for (const keys of [['publisher.pem'], ['stranger.pem'], both, []])
      for (const signedBy of ['any', 'all'] as const) await judge('original', keys, signedBy);
    await changed('countersigned', (folder) =>
      countersignBundle(folder, stranger.privateKey, { trustedKeys: [publisher.publicKey] }),
    );
    await judge('countersigned', both, 'all');
    await judge('countersigned', ['stranger.pem']);
    await swapSignatures();
    for (const name of FILES) {
      await changed(`without-${name}`, (folder) => rm(join(folder, name)));
      await changed(`truncated-${name}`, async (folder) => {
        const bytes = await readFile(join(folder, name));
        await writeFile(join(folder, name), bytes.subarray(0, bytes.length - 1));
      });
      await changed(`linked-${name}`, async (folder) => {
        await rename(join(folder, name), join(root, `elsewhere-${name}`));
        symlinkSync(join(root, `elsewhere-${name}`), join(folder, name));
      });
    }
    await changed('one-more', (folder) => writeFile(join(folder, 'setup.py'), ''));
    await changed('hidden', (folder) => writeFile(join(folder, '.hidden'), ''));
    await changed('folder', (folder) => mkdirSync(join(folder, 'folder')));
    await changed('a-run', (folder) => writeFile(join(folder, 'metrics.jsonl'), ''));
    await judge('no-such-folder');
    await flipBytes('original', FILES);
    await modelSignatures();
    await resign();
    await respell();
  }

  async function swapSignatures(): Promise<void> {
    await changed('signature-of-another', (folder) =>
      cp(join(root, 'other', 'signature.json'), join(folder, 'signature.json')),
    );
    await changed('key-id-swapped', (folder) =>
      rewritten(folder, (envelope) => ({
        ...envelope,
        signatures: envelope.signatures.map((each) => ({
          ...each,
          keyid: keyIdOf(stranger.publicKey),
        })),
      })),
    );
    await judge('key-id-swapped', ['stranger.pem']);
    await changed('signed-as-another-type', (folder) =>
      rewritten(folder, ({ payload }) =>
        sign('application/json', Buffer.from(payload, 'base64'), publisher.privateKey),
      ),
    );
    await changed('signed-bare', (folder) =>
      rewritten(folder, (envelope) => ({
        ...envelope,
        signatures: [
          {
            keyid: keyIdOf(publisher.publicKey),
            sig: rawSign(
              null,
              Buffer.from(envelope.payload, 'base64'),
              publisher.privateKey,
            ).toString('base64'),
          },
        ],
      })),
    );
  }

  async function rewritten(folder: string, change: (of: Envelope) => Envelope): Promise<void> {
    const file = join(folder, 'signature.json');
    await writeFile(file, writeSignature(change(readSignature(await readFile(file)))));
  }

  async function flipBytes(from: string, files: readonly string[]): Promise<void> {
    const random = new Random(5);
    for (const name of files)
      for (let i = 0; i < 25; i++)
        await changed(
          `flipped-${name}-${i}`,
          async (folder) => {
            const bytes = await readFile(join(folder, name));
            const at = random.integer(bytes.length);
            bytes[at] = (bytes[at] as number) ^ (1 + random.integer(255));
            await writeFile(join(folder, name), bytes);
          },
          from,
        );
  }

  /** Bundles with the signature of others beside ours, which has to name the same files. */
  async function modelSignatures(): Promise<void> {
    const trust = { trustedKeys: [publisher.publicKey] };
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const bundle of ['original', 'other'])
      await changed(
        `model-signed-${bundle}`,
        (folder) => signModel(folder, privateKey, trust),
        bundle,
      );
    const from = 'model-signed-original';
    const signatureOf = (bundle: string) => join(root, bundle, 'model.sig');
    await changed('model-signature-of-another', (folder) =>
      cp(signatureOf('model-signed-other'), join(folder, 'model.sig')),
    );
    await changed('model-signature-linked', (folder) =>
      symlinkSync(signatureOf(from), join(folder, 'model.sig')),
    );
    const changes: Readonly<Record<string, (statement: string) => string>> = {
      same: (text) => text,
      'more-said': (text) => text.replace('"predicateType"', '"extra":1,"predicateType"'),
      'file-renamed': (text) => text.replace('MODEL_CARD.md', 'OTHER.md'),
      'file-less': (text) => text.replace(/\{"name":"MODEL_CARD.md".*?\},/, ''),
      'other-digest': (text) => text.replace(/("MODEL_CARD.md".*?"digest":").{8}/, '$1deadbeef'),
      'other-root': (text) => text.replace(/("sha256":").{8}/, '$1deadbeef'),
      'other-method': (text) => text.replace('"files"', '"shards"'),
      'no-json': (text) => text.slice(1),
    };
    for (const [name, change] of Object.entries(changes))
      await changed(
        `model-statement-${name}`,
        async (folder) => {
          const file = join(folder, 'model.sig');
          const signature = JSON.parse(await readFile(file, 'utf8'));
          const statement = Buffer.from(signature.dsseEnvelope.payload, 'base64').toString();
          signature.dsseEnvelope.payload = Buffer.from(change(statement)).toString('base64');
          await writeFile(file, JSON.stringify(signature));
        },
        from,
      );
    await flipBytes(from, ['model.sig']);
  }

  /** Statements that a trusted key signed and that are no bundle's. */
  async function resign(): Promise<void> {
    const statement = async (folder: string) => {
      const { payload } = readSignature(await readFile(join(folder, 'signature.json')));
      return Buffer.from(payload, 'base64').toString();
    };
    const changes: Readonly<Record<string, (text: string) => string>> = {
      same: (text) => text,
      'path-outside': (text) => text.replace('"MODEL_CARD.md"', '"../MODEL_CARD.md"'),
      'no-json': (text) => text.slice(1),
      'other-type': (text) => text.replace('Statement/v1', 'Statement/v2'),
      'key-twice': (text) => text.replace('{"_type"', '{"_type":"x","_type"'),
      'file-twice': (text) => text.replace('"MODEL_CARD.md"', '"manifest.json"'),
      'one-less': (text) => text.replace(/,\{"name":"MODEL_CARD.md".*?\}\}/, ''),
      'other-digest': (text) => text.replace(/("manifest.json".*?"sha256":")../, '$1zz'),
      'more-said': (text) => text.replace('"predicateType"', '"extra":1,"predicateType"'),
      'with-byte-order-mark': (text) => `\ufeff${text}`,
    };
    for (const [name, change] of Object.entries(changes))
      await changed(`statement-${name}`, async (folder) => {
        const payload = Buffer.from(change(await statement(folder)));
        const envelope = sign(STATEMENT_TYPE, payload, publisher.privateKey);
        await writeFile(join(folder, 'signature.json'), writeSignature(envelope));
      });
    await manifests();
  }

  /** Manifests that are signed in order, most of which say what no manifest may. */
  async function manifests(): Promise<void> {
    const changes: Readonly<Record<string, (text: string) => string>> = {
      'key-twice': (text) => text.replace('"name"', '"name":"x","name"'),
      'unknown-key': (text) => text.replace('"name"', '"command":"x","name"'),
      'line-behind-version': (text) => text.replace('"1.0.0"', '"1.0.0\\n"'),
      'infinite-noise': (text) => text.replace('"mean": 0.5', '"mean": 1e999'),
      'no-number': (text) => text.replace('"mean": 0.5', '"mean": NaN'),
      'true-for-number': (text) => text.replace('"units": 8', '"units": true'),
      'size-with-point': (text) => text.replace('"units": 8', '"units": 8.0'),
      'half-a-size': (text) => text.replace('"units": 8', '"units": 8.5'),
      'noise-missing': (text) => text.replace(/"noise": \{.*?\n {2}\},/s, ''),
      'a-pipeline': (text) => text.replace('"kind": "representation"', '"kind": "pipeline"'),
      'labels-twice': (text) => text.replace('"I-NAME"', '"B-NAME"'),
      'of-own-types': (text) => withScheme(text, OWN),
      'describes-twice': (text) => withScheme(text, { ...OWN, describes: ['NAME', 'NAME'] }),
      'describes-in-words': (text) => withScheme(text, { ...OWN, describes: 'NAME' }),
      'score-in-words': (text) => text.replace('"binaryF1": 0.9', '"binaryF1": "0.9"'),
      'with-byte-order-mark': (text) => `\ufeff${text}`,
      'digits-of-another-script': (text) => text.replace(/"created": "20/, '"created": "٢٠'),
    };
    for (const [name, change] of Object.entries(changes))
      await changed(`manifest-${name}`, async (folder) => {
        const file = join(folder, 'manifest.json');
        const manifest = Buffer.from(change((await readFile(file)).toString()));
        await writeFile(file, manifest);
        const { payload } = readSignature(await readFile(join(folder, 'signature.json')));
        const statement = JSON.parse(Buffer.from(payload, 'base64').toString());
        for (const subject of statement.subject)
          if (subject.name === 'manifest.json')
            subject.digest.sha256 = createHash('sha256').update(manifest).digest('hex');
        const signed = Buffer.from(JSON.stringify(statement));
        const envelope = sign(STATEMENT_TYPE, signed, publisher.privateKey);
        await writeFile(join(folder, 'signature.json'), writeSignature(envelope));
      });
  }

  async function respell(): Promise<void> {
    const changes: Readonly<Record<string, (text: string) => string>> = {
      'on-one-line': (text) => JSON.stringify(JSON.parse(text)),
      'with-a-space': (text) => `${text} `,
      'with-byte-order-mark': (text) => `\ufeff${text}`,
      'with-unused-bits': (text) =>
        text.replace(/A==",\n/, 'B==",\n').replace(/g==",\n/, 'h==",\n'),
      'without-padding': (text) => text.replace(/==?"/, '"'),
      'with-no-signature': (text) => text.replace(/"signatures": \[.*\]/s, '"signatures": []'),
      'with-a-key-more': (text) => text.replace('"payloadType"', '"x":1,"payloadType"'),
    };
    for (const [name, change] of Object.entries(changes))
      await changed(`respelt-${name}`, async (folder) => {
        const file = join(folder, 'signature.json');
        await writeFile(file, change((await readFile(file)).toString()));
      });
  }

  testWithPython(
    'it refuses forged, truncated and swapped ones as TypeScript does, under the same codes',
    () => runUnittest('test_bundle', root),
  );

  testWithPython('it verifies Ed25519 as RFC 8032 has it', () => runUnittest('test_ed25519'));
});
