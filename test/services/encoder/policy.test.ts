import { generateKeyPairSync } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKeyFiles } from '../../../models/bundle/key-files.js';
import { sign } from '../../../proto/dsse.js';
import { encodingLimits, readPolicy } from '../../../services/encoder/policy.js';
import { requireAudit } from '../../../services/encoder/required-audit.js';
import { AUDIT_TYPE } from '../../../services/registry/audit-routes.js';

const LEAST = { publisherKeys: ['publisher/public.pem'], maxReleases: 1, minDocuments: 5 };

const TWICE = ['publisher/public.pem', 'again/public.pem'];
const PAIRS = 'tell a pair apart';

describe('a policy', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tacet-policy-'));
    const { publicKeyFile } = await createKeyFiles(join(root, 'publisher'));
    await mkdir(join(root, 'again'));
    await copyFile(publicKeyFile, join(root, TWICE[1] as string));
  });
  afterAll(() => rm(root, { recursive: true }));

  const read = async (policy: unknown) => {
    const file = join(root, 'policy.json');
    await writeFile(file, typeof policy === 'string' ? policy : JSON.stringify(policy));
    return readPolicy(file);
  };

  test('names keys beside itself, and what a job may do', async () => {
    const policy = await read({ ...LEAST, certifiedLimit: 0.6, maxSentencesPerEntity: 20 });
    expect(policy.publisherKeys).toHaveLength(1);
    expect(encodingLimits(policy)).toEqual({
      maxReleases: 1,
      minDocuments: 5,
      certification: { limit: 0.6, neighbours: 100, maxSentencesPerEntity: 20 },
    });
  });

  test('certifies nothing unless it says so', async () => {
    expect(encodingLimits(await read(LEAST)).certification).toBeUndefined();
  });

  test.each([
    ['what it does not know', { ...LEAST, maxRelease: 1 }, /maxRelease\b/],
    [
      'misspelt keys',
      { ...LEAST, maxReleases: undefined, maxRelease: 1, audit: { auditorKey: [] } },
      /unknown keys: maxRelease, audit\.auditorKey; expected some of publisherKeys/,
    ],
    ['one publisher twice', { ...LEAST, publisherKeys: TWICE, signedBy: 'all' }, /one key/],
    ['a ledger that is no id', { ...LEAST, ledger: 'mine' }, /ledger/],
    ['no keys', { ...LEAST, publisherKeys: [] }, /publisherKeys/],
    ['no least number of documents', { publisherKeys: ['a'], maxReleases: 1 }, /minDocuments/],
    ['a limit that a coin meets', { ...LEAST, certifiedLimit: 0.5 }, /certifiedLimit/],
    ['a cap without a limit', { ...LEAST, maxSentencesPerEntity: 3 }, /certifiedLimit/],
    [
      'a key twice',
      '{"maxReleases":1,"maxReleases":9,"minDocuments":1,"publisherKeys":["publisher/public.pem"]}',
      /twice/,
    ],
    ['no JSON', 'maxReleases: 1', /JSON/],
  ])('with %s is refused', async (_, policy, message) => {
    await expect(read(policy)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
    });
    await expect(read(policy)).rejects.toThrow(root);
  });

  test('whose key file is missing is refused', async () => {
    await expect(read({ ...LEAST, publisherKeys: ['other.pem'] })).rejects.toMatchObject({
      code: 'file-not-found',
    });
  });
});

describe('a required audit', () => {
  const MODEL = 'a'.repeat(64);
  const auditor = generateKeyPairSync('ed25519');
  const policy = {
    auditorKeys: [auditor.publicKey],
    maxAttackSuccess: 0.6,
    maxCertifiedBound: 0.62,
  };
  const findings = (success: number, bound: number, model = MODEL) => ({
    model,
    attacks: [
      { task: PAIRS, success: { interval: [0.4, 0.5] } },
      { task: PAIRS, success: { interval: [0.4, success] } },
      { task: 'find the sentence', success: { interval: [0.9, 1] } },
    ],
    certified: { bound: { interval: [0.5, bound] } },
  });
  const signed = (value: unknown, key = auditor.privateKey) =>
    sign(AUDIT_TYPE, Buffer.from(JSON.stringify(value)), key);

  test('lets a model through that some audit found within the limits', () => {
    const audits = [signed(findings(0.9, 0.9)), signed(findings(0.6, 0.62))];
    expect(() => requireAudit(MODEL, audits, policy)).not.toThrow();
  });

  test.each([
    ['there is none', [], /none was given/],
    ['an attack succeeds too often', [signed(findings(0.7, 0.6))], /up to 0.7/],
    ['its bound is too high', [signed(findings(0.5, 0.7))], /up to 0.7/],
    ['it is of another model', [signed(findings(0.5, 0.5, 'b'.repeat(64)))], /of model b/],
    [
      'a stranger signed it',
      [signed(findings(0.5, 0.5), generateKeyPairSync('ed25519').privateKey)],
      /key/,
    ],
    ['it says nothing of attacks', [signed({ model: MODEL, attacks: [] })], /attacks|certified/],
    ['it is no envelope', [{ hello: 1 }], /no audit is within/],
  ])('refuses the model where %s', (_, audits, message) => {
    expect(() => requireAudit(MODEL, audits, policy)).toThrow(message);
  });
});
