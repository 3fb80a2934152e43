import { generateKeyPairSync } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AuditReport } from '../../../../models/attacks/report/audit-report.js';
import { createKeyFiles } from '../../../../models/bundle/key-files.js';
import { sign } from '../../../../proto/dsse.js';
import { TacetError } from '../../../../proto/errors.js';
import { AUDIT_TYPE } from '../../../../proto/publication.js';
import {
  encodingLimits,
  type Policy,
  readPolicy,
} from '../../../../services/institution/approval/policy.js';
import { requireAudit } from '../../../../services/institution/approval/required-audit.js';
import { completeAudit, sampleAttack } from '../../../models/attacks/sample-audit.js';

const LEAST = { publisherKeys: ['publisher/public.pem'], maxReleases: 1, minDocuments: 5 };

const TWICE = ['publisher/public.pem', 'again/public.pem'];

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
    const policy = await read({
      ...LEAST,
      entities: 'kept',
      certifiedLimit: 0.6,
      maxSentencesPerEntity: 20,
    });
    expect(policy.publisherKeys).toHaveLength(1);
    expect(encodingLimits(policy, { entities: 'kept' })).toEqual({
      maxReleases: 1,
      minDocuments: 5,
      certification: { limit: 0.6, neighbours: 100, maxSentencesPerEntity: 20 },
    });
  });

  test('limits jobs that keep types which it allows, and none of the others', async () => {
    const policy = await read({ ...LEAST, keptTypes: ['ORG'], certifiedLimit: 0.6 });
    expect(policy.keptTypes).toEqual(['ORG']);
    const limitOf = (keptTypes?: string[]) =>
      encodingLimits(policy, { entities: 'replaced', keptTypes }).certification?.limit;
    expect([limitOf(['ORG']), limitOf([]), limitOf()]).toEqual([0.6, undefined, undefined]);
  });

  test('asks audits for its own number of neighbours and for 20 notes, unless it says otherwise', async () => {
    const auditorKeys = ['publisher/public.pem'];
    const asked = async (policy: object) => (await read({ ...LEAST, ...policy })).audit;
    expect(await asked({ audit: { auditorKeys }, neighbours: 300 })).toMatchObject({
      minNeighbours: 300,
      minTestDocuments: 20,
    });
    const own = { minNeighbours: 50, minTestDocuments: 9 };
    expect(await asked({ audit: { auditorKeys, ...own } })).toMatchObject(own);
  });

  test('certifies nothing unless it says so', async () => {
    const policy = await read(LEAST);
    expect(encodingLimits(policy, { entities: 'kept' }).certification).toBeUndefined();
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
    ['a limit on replaced entities', { ...LEAST, certifiedLimit: 0.6 }, /"entities": "kept"/],
    ['kept types without a limit', { ...LEAST, keptTypes: ['ORG'] }, /certifiedLimit/],
    [
      'types that are kept where all are',
      { ...LEAST, entities: 'kept', certifiedLimit: 0.6, keptTypes: ['ORG'] },
      /keptTypes/,
    ],
    ['no list of kept types', { ...LEAST, certifiedLimit: 0.6, keptTypes: 'ORG' }, /keptTypes/],
    [
      'a kept type twice',
      { ...LEAST, certifiedLimit: 0.6, keptTypes: ['ORG', 'ORG'] },
      /keptTypes/,
    ],
    [
      'a kept type that is no name',
      { ...LEAST, certifiedLimit: 0.6, keptTypes: ['a,b'] },
      /keptTypes/,
    ],
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

describe('any policy', () => {
  test('of kept types, a limit and a treatment is taken only where kept entities are limited, and says so otherwise', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tacet-policy-fuzz-'));
    const { publicKeyFile } = await createKeyFiles(join(root, 'publisher'));
    const file = join(root, 'policy.json');
    const types = fc.array(
      fc.oneof(fc.constantFrom('ORG', 'PERSON', 'a b', ''), fc.string({ maxLength: 70 }), fc.nat()),
      { maxLength: 4 },
    );
    const said = fc.record(
      {
        keptTypes: fc.oneof(types, fc.jsonValue({ maxDepth: 1 })),
        certifiedLimit: fc.oneof(fc.double({ min: 0, max: 1.1, noNaN: true }), fc.constant(null)),
        entities: fc.constantFrom('replaced', 'kept', 'other'),
        maxSentencesPerEntity: fc.integer({ min: -1, max: 5 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(said, async (fields) => {
        const whole = {
          publisherKeys: [publicKeyFile],
          maxReleases: 1,
          minDocuments: 1,
          ...fields,
        };
        await writeFile(file, JSON.stringify(whole));
        const policy = await readPolicy(file).catch((error: unknown) => error);
        if (policy instanceof TacetError) {
          expect(policy.code).toBe('config-invalid');
          return;
        }
        const { keptTypes = [], certifiedLimit, entities } = policy as Policy;
        expect(keptTypes.every((type) => /^[A-Za-z0-9_:.-]{1,64}$/.test(type))).toBe(true);
        expect(new Set(keptTypes).size).toBe(keptTypes.length);
        if (keptTypes.length > 0) {
          expect(certifiedLimit).toBeGreaterThan(0.5);
          expect(entities).not.toBe('kept');
        } else if (certifiedLimit !== undefined) expect(entities).toBe('kept');
      }),
      { numRuns: 300 },
    );
    await rm(root, { recursive: true });
  });
});

describe('a required audit', () => {
  const MODEL = 'a'.repeat(64);
  const auditor = generateKeyPairSync('ed25519');
  const policy = {
    auditorKeys: [auditor.publicKey],
    maxAttackSuccess: 0.6,
    maxCertifiedBound: 0.62,
    minNeighbours: 100,
    minTestDocuments: 20,
  };
  const audit = (
    fields: Partial<AuditReport> = {},
    ends: Parameters<typeof completeAudit>[0] = {},
  ) => completeAudit(ends, { model: MODEL, ...fields });
  const within = audit({}, { success: 0.58, bound: 0.6 });
  const signed = (value: unknown, key = auditor.privateKey) =>
    sign(AUDIT_TYPE, Buffer.from(JSON.stringify(value)), key);
  const without = (name: string) => within.attacks.filter((each) => each.name !== name);
  const learning = (epochs: number, bestEpoch: number) => [
    ...without('continued-adversary-both'),
    sampleAttack(0.5, {
      name: 'pooled-adversary-128',
      attack: 'fresh-adversary',
      family: 'adversary',
      settings: { epochs, bestEpoch },
    }),
  ];

  test('lets a model through whose audit is within the limits', () => {
    expect(() => requireAudit(MODEL, [signed(within)], policy)).not.toThrow();
  });

  test('lets it through whatever strangers and audits that do not count say', () => {
    const stranger = signed(
      audit({}, { success: 0.99 }),
      generateKeyPairSync('ed25519').privateKey,
    );
    const other = signed(audit({ attacked: 'raw-embeddings' }, { success: 0.99 }));
    expect(() => requireAudit(MODEL, [stranger, other, signed(within)], policy)).not.toThrow();
  });

  test('lets adversaries through that learned for the paper’s 50 epochs, or ten in vain', () => {
    for (const attacks of [learning(50, 49), learning(12, 2)])
      expect(() => requireAudit(MODEL, [signed({ ...within, attacks })], policy)).not.toThrow();
  });

  test('refuses a model that one audit of two found beyond the limits', () => {
    const audits = [signed(within), signed(audit({}, { success: 0.7 }))];
    expect(() => requireAudit(MODEL, audits, policy)).toThrow(
      /audit 2 .*known-noise-pair succeeds in up to 0\.7/,
    );
  });

  test.each<[string, unknown[], RegExp]>([
    ['there is none', [], /none was given/],
    ['an attack succeeds too often', [signed(audit({}, { success: 0.7 }))], /up to 0\.7/],
    ['its bound is too high', [signed(audit({}, { bound: 0.7 }))], /bound is up to 0\.7/],
    ['it is of another model', [signed({ ...within, model: 'b'.repeat(64) })], /of model b/],
    [
      'a stranger signed it',
      [signed(within, generateKeyPairSync('ed25519').privateKey)],
      /audit 1: .*key/,
    ],
    ['it is no whole report', [signed({ model: MODEL, attacks: [] })], /audit 1: the audit: /],
    ['it is no JSON', [sign(AUDIT_TYPE, Buffer.from('?'), auditor.privateKey)], /expected JSON/],
    ['it is no envelope', [{ hello: 1 }], /audit 1: /],
    [
      'it attacked something else',
      [signed({ ...within, attacked: 'raw-embeddings' })],
      /not the b/,
    ],
    ['it attacked releases', [signed({ ...within, attacked: 'contribution' })], /contribution/],
    [
      'it contradicts itself',
      [signed({ ...within, contradictions: ['known-noise-pair'] })],
      /wrongly/,
    ],
    ['words had few candidates', [signed({ ...within, candidates: 2 })], /among 2 candidates/],
    [
      'it measured on one note',
      [signed({ ...within, documents: { train: 9, validation: 2, test: 1 } })],
      /on 1 notes/,
    ],
    [
      'it left out an attack by likelihood',
      [signed({ ...within, attacks: without('known-noise-twins') })],
      /left out known-noise-twins/,
    ],
    [
      'an attack has the name of another alone',
      [
        signed({
          ...within,
          attacks: within.attacks.map((each) =>
            each.name === 'known-noise-twins'
              ? { ...each, attack: 'known-noise-word' as const }
              : each,
          ),
        }),
      ],
      /left out known-noise-twins/,
    ],
    [
      'an attack is of another family than it says',
      [
        signed({
          ...within,
          attacks: within.attacks.map((each) => ({ ...each, family: 'adversary' as const })),
        }),
      ],
      /is not of family adversary/,
    ],
    [
      'it left out the adversaries',
      [signed({ ...within, attacks: without('continued-adversary-both') })],
      /every adversary/,
    ],
    [
      'its adversaries ended early',
      [signed({ ...within, attacks: learning(3, 3) })],
      /each adversary early/,
    ],
  ])('refuses the model where %s', (_, audits, message) => {
    expect(() => requireAudit(MODEL, audits, policy)).toThrow(message);
  });

  test('counts an audit that was written before reports held ids, by the names of its attacks', () => {
    const attacks = within.attacks.map(({ attack: _, family: __, ...rest }) => rest);
    expect(() =>
      requireAudit(MODEL, [signed({ ...within, attacks } as unknown as typeof within)], policy),
    ).not.toThrow();
  });
});
