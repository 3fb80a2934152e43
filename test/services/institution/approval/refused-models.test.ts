import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countersignBundle } from '../../../../models/bundle/countersign.js';
import { readPrivateKey, readPublicKey } from '../../../../models/bundle/key-files.js';
import { type Manifest, writeManifest } from '../../../../models/bundle/manifest.js';
import { writeSignature } from '../../../../models/bundle/signature-file.js';
import { STATEMENT_PAYLOAD_TYPE, writeStatement } from '../../../../models/bundle/statement.js';
import type { Trust } from '../../../../models/bundle/verify.js';
import { type Embeddings, embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { sign } from '../../../../proto/dsse.js';
import type { ErrorCode } from '../../../../proto/errors.js';
import { AUDIT_TYPE } from '../../../../proto/publication.js';
import { ServiceClient } from '../../../../services/client/client.js';
import {
  type ApprovalGrounds,
  approveModel,
} from '../../../../services/institution/approval/model-approval.js';
import { verifyEncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { completeAudit } from '../../../models/attacks/sample-audit.js';
import { WORDS } from '../notes.js';
import { createPublisher, embeddingsOf, type Publisher, removePublisher } from '../publisher.js';

const FILES = ['manifest.json', 'weights.safetensors', 'representation.onnx', 'MODEL_CARD.md'];

/** How an encoder comes by a model. */
interface Attempt {
  directory: string;
  trust: Trust;
  embeddings: Embeddings;
  grounds: ApprovalGrounds;
}

type Row = readonly [what: string, code: ErrorCode, change: (attempt: Attempt) => unknown];

/**
 * All bundles here are signed, and hold weights that no parser accepts: whoever looked at one of them
 * would fail with `bundle-invalid` and a word about safetensors, as the first test does.
 */
describe('a model', () => {
  let publisher: Publisher;
  let root: string;
  let original: string;
  let another: string;
  let key: KeyObject;
  let genuine: Pick<Attempt, 'trust' | 'embeddings'>;
  let digest: string;
  const stranger = generateKeyPairSync('ed25519');
  const auditor = generateKeyPairSync('ed25519');
  let registryAnswer: (path: string) => unknown = () => ({});
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(registryAnswer(url ?? '')));
  });
  let registry: ServiceClient;

  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    root = await mkdtemp(join(tmpdir(), 'tacet-refused-'));
    key = await readPrivateKey(publisher.privateKeyFile);
    genuine = {
      trust: { trustedKeys: [await readPublicKey(publisher.publicKeyFile)] },
      embeddings: await embeddingsOf(publisher),
    };
    original = join(root, 'original');
    await cp(publisher.representation, original, { recursive: true });
    await writeFile(join(original, 'weights.safetensors'), 'no weights at all');
    digest = await signAnew(original, {}, key);
    another = join(root, 'another');
    await cp(publisher.representation, another, { recursive: true });
    await writeFile(join(another, 'MODEL_CARD.md'), 'of another');
    await signAnew(another, {}, key);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    registry = new ServiceClient({ baseUrl: `http://127.0.0.1:${port}` });
  });
  afterAll(async () => {
    server.close();
    await removePublisher(publisher);
    await rm(root, { recursive: true });
  });

  const says = (status: string, of = digest) => {
    registryAnswer = (path) =>
      path.includes('/audits')
        ? []
        : { name: 'tiny', version: '1.0.0', publisher: 'p', reason: 'why', status, digest: of };
  };
  const audited = (success: number, by = auditor.privateKey) => {
    const report = completeAudit({ success }, { model: digest });
    return sign(AUDIT_TYPE, Buffer.from(JSON.stringify(report)), by);
  };
  const demand = {
    auditorKeys: [auditor.publicKey],
    maxAttackSuccess: 0.6,
    minNeighbours: 100,
    minTestDocuments: 20,
  };
  const byte = (name: string, place: 'first' | 'middle' | 'last', code: ErrorCode): Row => [
    `with the ${place} byte of ${name} changed`,
    code,
    async ({ directory }) => {
      const bytes = await readFile(join(directory, name));
      const at = { first: 0, middle: bytes.length >> 1, last: bytes.length - 1 }[place];
      bytes[at] = (bytes[at] as number) ^ 1;
      await writeFile(join(directory, name), bytes);
    },
  ];
  const PLACES = ['first', 'middle', 'last'] as const;

  const rows: readonly Row[] = [
    ...FILES.flatMap((name) => PLACES.map((place) => byte(name, place, 'bundle-digest'))),
    ...PLACES.map((place) => byte('signature.json', place, 'bundle-signature')),
    ...FILES.map(
      (name): Row => [
        `with a byte more in ${name}`,
        'bundle-digest',
        ({ directory }) => appendFile(join(directory, name), '\n'),
      ],
    ),
    ...[...FILES, 'signature.json'].map(
      (name): Row => [
        `without ${name}`,
        'bundle-file-missing',
        ({ directory }) => rm(join(directory, name)),
      ],
    ),
    ['with a file more', 'bundle-file-extra', ({ directory }) => file(directory, 'setup.js')],
    ['with a hidden file', 'bundle-file-extra', ({ directory }) => file(directory, '.DS_Store')],
    ['with a folder more', 'bundle-file-unsafe', ({ directory }) => mkdir(join(directory, 'more'))],
    [
      'with a link in the place of its weights',
      'bundle-file-unsafe',
      async ({ directory }) => {
        await rm(join(directory, 'weights.safetensors'));
        await symlink(
          join(original, 'weights.safetensors'),
          join(directory, 'weights.safetensors'),
        );
      },
    ],
    [
      'with the signature of another bundle of its publisher',
      'bundle-signature',
      ({ directory }) => cp(join(another, 'signature.json'), join(directory, 'signature.json')),
    ],
    [
      'signed by an unknown key alone',
      'key-untrusted',
      ({ directory }) => signAnew(directory, {}, stranger.privateKey),
    ],
    [
      'signed by one key of two where each must sign',
      'key-untrusted',
      (attempt) => {
        const trustedKeys = [...genuine.trust.trustedKeys, stranger.publicKey];
        attempt.trust = { trustedKeys, signedBy: 'all' };
      },
    ],
    [
      'of an older tokenisation',
      'tokenisation-unsupported',
      ({ directory }) => signAnew(directory, { tokenisation: 'tacet-aggressive-0' }, key),
    ],
    [
      'for other embeddings',
      'model-unsuitable',
      (attempt) => {
        attempt.embeddings = embeddingsFromRows(WORDS, new Float32Array(8 * WORDS.length));
      },
    ],
    [
      'of another kind',
      'model-unsuitable',
      async (attempt) => {
        attempt.directory = join(root, 'pipeline');
        await cp(publisher.pipeline, attempt.directory, { recursive: true });
        await writeFile(join(attempt.directory, 'weights.safetensors'), 'no weights at all');
        await signAnew(attempt.directory, {}, key);
      },
    ],
    [
      'that was revoked',
      'model-revoked',
      (attempt) => {
        says('revoked');
        attempt.grounds = { registry };
      },
    ],
    [
      'of which the registry knows another bundle',
      'bundle-digest',
      (attempt) => {
        says('published', 'f'.repeat(64));
        attempt.grounds = { registry };
      },
    ],
    [
      'without a registry to ask, where the policy demands one',
      'revocation-unknown',
      (attempt) => {
        attempt.grounds = { policy: { requireRevocationCheck: true } };
      },
    ],
    [
      'whose registry does not answer, where the policy demands it',
      'revocation-unknown',
      (attempt) => {
        const silent = new ServiceClient({ baseUrl: 'http://127.0.0.1:9' });
        attempt.grounds = { registry: silent, policy: { requireRevocationCheck: true } };
      },
    ],
    [
      'without the audit that the policy asks for',
      'model-unsuitable',
      (attempt) => {
        attempt.grounds = { policy: { audit: demand } };
      },
    ],
    [
      'with an audit beyond the policy',
      'model-unsuitable',
      (attempt) => {
        attempt.grounds = { policy: { audit: demand }, audits: [audited(0.7)] };
      },
    ],
    [
      'with an audit by an unknown auditor',
      'model-unsuitable',
      (attempt) => {
        const audits = [audited(0.55, stranger.privateKey)];
        attempt.grounds = { policy: { audit: demand }, audits };
      },
    ],
  ];

  let copies = 0;
  /** As every command of an encoder does: verify, approve, and only then load. */
  const use = async (change: (attempt: Attempt) => unknown) => {
    const directory = join(root, `copy-${copies++}`);
    await cp(original, directory, { recursive: true });
    const attempt: Attempt = { directory, ...genuine, grounds: {} };
    await change(attempt);
    const { trust, embeddings, grounds } = attempt;
    const verified = await verifyEncodingModel(attempt.directory, { ...trust, embeddings });
    await approveModel(verified, grounds);
    return verified.load();
  };

  test.each<[string, (attempt: Attempt) => unknown]>([
    ['as it was signed', () => {}],
    [
      'countersigned, approved and audited',
      async (attempt) => {
        const trustedKeys = [...genuine.trust.trustedKeys, stranger.publicKey];
        await countersignBundle(attempt.directory, stranger.privateKey, genuine.trust);
        attempt.trust = { trustedKeys, signedBy: 'all' };
        says('published');
        const policy = { requireRevocationCheck: true, audit: demand };
        attempt.grounds = { registry, policy, audits: [audited(0.55)] };
      },
    ],
  ])('%s has its weights read', async (_, change) => {
    await expect(use(change)).rejects.toMatchObject({
      code: 'bundle-invalid',
      message: expect.stringMatching(/^safetensors: /),
    });
  });

  test.each(rows)('%s is refused (%s) before a weight is read', async (_, code, change) => {
    const refused = use(change);
    await expect(refused).rejects.toMatchObject({ code });
    await expect(refused).rejects.not.toThrow(/^safetensors: /);
  });
});

function file(directory: string, name: string): Promise<void> {
  return writeFile(join(directory, name), '');
}

/** Changes the manifest, states every digest again and signs; returns the new digest. */
async function signAnew(
  directory: string,
  changes: Partial<Manifest>,
  privateKey: KeyObject,
): Promise<string> {
  const path = join(directory, 'manifest.json');
  const before = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  const digests = new Map<string, string>();
  for (const name of Object.keys(before.files))
    digests.set(name, sha256(await readFile(join(directory, name))));
  const manifest = { ...before, ...changes, files: Object.fromEntries(digests) };
  const bytes = writeManifest(manifest);
  await writeFile(path, bytes);
  digests.set('manifest.json', sha256(bytes));
  const envelope = sign(STATEMENT_PAYLOAD_TYPE, writeStatement(manifest, digests), privateKey);
  await writeFile(join(directory, 'signature.json'), writeSignature(envelope));
  return sha256(bytes);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
