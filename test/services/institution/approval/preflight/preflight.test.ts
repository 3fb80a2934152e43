import { chmod, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { readPublicKey } from '../../../../../models/bundle/key-files.js';
import { loadLabelScheme } from '../../../../../models/text/label-scheme.js';
import { ServiceClient } from '../../../../../services/client/client.js';
import type { Policy } from '../../../../../services/institution/approval/policy.js';
import type { Check } from '../../../../../services/institution/approval/preflight/checklist.js';
import { preflight } from '../../../../../services/institution/approval/preflight/preflight.js';
import type { PreflightOptions } from '../../../../../services/institution/approval/preflight/preflight-options.js';
import { openEncodingModel } from '../../../../../services/institution/bundles/encoding-model.js';
import { encode } from '../../../../../services/institution/release/encode.js';
import { Ledger } from '../../../../../services/institution/release/ledger/ledger.js';
import { publishedSite } from '../../published-site.js';
import { embeddingsOf } from '../../publisher.js';

const PINNED = 'f'.repeat(32);

describe('preflight', () => {
  const site = publishedSite();
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(site.root, 'home-'));
  });

  const trusted = async () => ({
    trustedKeys: [await readPublicKey(site.publisher.publicKeyFile)],
  });
  const policyOf = async (more: Partial<Policy>): Promise<Policy> => ({
    publisherKeys: (await trusted()).trustedKeys,
    neighbours: 100,
    maxReleases: 1,
    minDocuments: 1,
    ...more,
  });
  const checked = async (options: Partial<PreflightOptions> = {}) => {
    const checks = await preflight({
      model: site.publisher.representation,
      trust: await trusted(),
      embeddings: site.publisher.embeddingsFile,
      home,
      mayMakeHome: true,
      audits: [],
      ...options,
    });
    return Object.fromEntries(checks.map((check) => [check.name, check]));
  };
  const failed = (checks: Record<string, Check>) =>
    Object.values(checks).flatMap(({ name, passed }) => (passed === false ? [name] : []));
  const isThere = (path: string) =>
    stat(path).then(
      () => true,
      () => false,
    );

  test('says that there is no ledger yet, and makes neither one nor a home', async () => {
    const fresh = join(home, 'in', 'there');
    const checks = await checked({ home: fresh });
    expect(failed(checks)).toEqual([]);
    expect(checks.ledger?.finding).toBe('no ledger yet: nothing counts as released');
    expect(await isThere(join(home, 'in'))).toBe(false);
  });

  test('refuses a home that is not there, unless it is to be made', async () => {
    const checks = await checked({ home: join(home, 'in', 'there'), mayMakeHome: false });
    expect(failed(checks)).toEqual(['ledger']);
    expect(checks.ledger?.finding).toContain('home-missing');
    expect(await isThere(join(home, 'in'))).toBe(false);
  });

  test('names the ledger that is there', async () => {
    const ledger = await Ledger.openOrMake(home);
    ledger.close();
    const checks = await checked({ policy: await policyOf({ ledger: ledger.id }) });
    expect(failed(checks)).toEqual([]);
    expect(checks.ledger?.finding).toBe(`opens, ledger ${ledger.id}`);
  });

  test('refuses a pipeline, as encoding does', async () => {
    const checks = await checked({ model: site.publisher.pipeline });
    expect(failed(checks)).toEqual(['model and signature']);
    expect(checks['model and signature']).toMatchObject({
      finding: expect.stringContaining('model-unsuitable'),
      advice: expect.stringContaining('representation'),
    });
    expect([checks.embeddings?.passed, checks.weights?.passed]).toEqual([null, null]);
  });

  test('refuses a model of another label scheme than the policy’s, as encoding does', async () => {
    const labelScheme = 'meddocan';
    const checks = await checked({ policy: await policyOf({ labelScheme }) });
    expect(failed(checks)).toEqual(['label scheme']);
    const opened = openEncodingModel(site.publisher.representation, {
      ...(await trusted()),
      embeddings: await embeddingsOf(site.publisher),
      scheme: labelScheme,
    });
    await expect(opened).rejects.toMatchObject({ code: 'model-unsuitable' });
    const { name, version, digest } = loadLabelScheme(labelScheme);
    expect(checks['label scheme']?.finding).toContain(`${name} ${version}, ${digest.slice(0, 12)}`);
  });

  test.each<[string, Partial<Policy>, string]>([
    ['another ledger', { ledger: PINNED }, 'ledger-foreign'],
    ['a laxer limit of releases', { maxReleases: 3 }, 'bounds-laxer'],
    ['fewer documents', { minDocuments: 4 }, 'bounds-laxer'],
    ['a weaker limit', { entities: 'kept', certifiedLimit: 0.9, neighbours: 99 }, 'bounds-laxer'],
  ])('refuses a home that the policy does not fit: %s', async (_what, more, code) => {
    const ledger = await Ledger.openOrMake(home);
    const stated = { neighbours: 100, maxReleases: 2, minDocuments: 5 };
    const unstated = { maxAlike: null, labelDocuments: null, entities: null, keptTypes: null };
    ledger.recordBounds({ ...stated, ...unstated, suspects: null });
    ledger.close();
    const policy = await policyOf({ maxReleases: 2, minDocuments: 5, ...more });
    const checks = await checked({ policy });
    expect(failed(checks)).toEqual(['ledger']);
    expect(checks.ledger?.finding).toContain(code);
  });

  test('refuses a home without a ledger where the policy names one', async () => {
    const checks = await checked({ policy: await policyOf({ ledger: PINNED }) });
    expect(failed(checks)).toEqual(['ledger']);
    expect(await isThere(join(home, 'ledger.db'))).toBe(false);
  });

  test('advises to close a key that others may read', async () => {
    (await Ledger.openOrMake(home)).close();
    await chmod(join(home, 'ledger.key'), 0o644);
    const { ledger } = await checked();
    expect(ledger).toMatchObject({ passed: false, advice: expect.stringContaining('chmod 600') });
  });

  test('a home that cannot be one is a failed check, and encoding refuses it with a code', async () => {
    const file = join(home, 'plain');
    await writeFile(file, '');
    const model = await openEncodingModel(site.publisher.representation, {
      ...(await trusted()),
      embeddings: await embeddingsOf(site.publisher),
    });
    for (const bad of [file, join(file, 'below'), '/dev/null/below']) {
      const checks = await checked({ home: bad });
      expect(failed(checks)).toEqual(['ledger', 'disk']);
      for (const name of ['ledger', 'disk'])
        expect(checks[name]).toMatchObject({
          finding: expect.stringContaining('file-unwritable'),
          advice: expect.stringContaining('--home'),
        });
      await expect(encode([], model, bad)).rejects.toMatchObject({ code: 'file-unwritable' });
    }
    model.representation.dispose();
  });

  test('a state folder that cannot be written is a failed check, and encoding begins no home', async () => {
    const file = join(home, 'plain');
    await writeFile(file, '');
    const model = await openEncodingModel(site.publisher.representation, {
      ...(await trusted()),
      embeddings: await embeddingsOf(site.publisher),
    });
    const fresh = join(home, 'fresh');
    const state = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = join(file, 'below');
    try {
      const checks = await checked({ home: fresh });
      expect(failed(checks)).toEqual(['state folder']);
      expect(checks['state folder']).toMatchObject({
        finding: expect.stringMatching(/^file-unwritable: .*ENOTDIR.*XDG_STATE_HOME/),
        advice: expect.stringContaining('XDG_STATE_HOME'),
      });
      await expect(encode([], model, fresh)).rejects.toMatchObject({
        code: 'file-unwritable',
        message: expect.stringContaining('XDG_STATE_HOME'),
      });
      expect(await isThere(fresh)).toBe(false);
    } finally {
      process.env.XDG_STATE_HOME = state;
      model.representation.dispose();
    }
  });

  test('an unreachable pool is said to be that, and nothing is said of the clock', async () => {
    const server = await listening(createServer());
    const url = urlOf(server);
    await closed(server);
    const checks = await checked({ pool: { url, client: new ServiceClient({ baseUrl: url }) } });
    expect(failed(checks)).toEqual(['pool reachable']);
    expect(checks['pool reachable']?.advice).toContain('network');
    expect([checks.clock?.passed, checks['role of the token']?.passed]).toEqual([null, null]);
  });

  test('a wrong clock is told from a pool that is not there', async () => {
    const server = await listening(
      createServer((_request, response) => {
        response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString());
        response.end('{}');
      }),
    );
    const url = urlOf(server);
    const checks = await checked({ pool: { url, client: new ServiceClient({ baseUrl: url }) } });
    await closed(server);
    expect(checks['pool reachable']?.passed).toBe(true);
    expect(checks.clock).toMatchObject({ passed: false, advice: expect.stringContaining('clock') });
  });
});

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
}
