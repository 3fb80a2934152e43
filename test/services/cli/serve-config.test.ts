import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resolveServeConfig } from '../../../services/cli/serve-config.js';
import { SERVE_SETTINGS } from '../../../services/cli/serve-settings.js';
import { capturedRun } from './captured-run.js';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tacet-config-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function file(content: unknown): string {
  const path = join(directory, 'tacet.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const coded = (code: string) => expect.objectContaining({ code });

describe('the configuration of a server', () => {
  test('takes a flag before the environment, that before the file, that before a default', () => {
    const { config, origins } = resolveServeConfig({
      flags: { config: file({ data: 'f', port: 1, quotaBytes: 1, openUploads: 1 }), port: 3 },
      environment: { TACET_SERVE_PORT: '2', TACET_SERVE_QUOTA_BYTES: '2', HOME: 'x' },
    });
    expect(config).toEqual(
      expect.objectContaining({ data: 'f', port: 3, quotaBytes: 2, openUploads: 1 }),
    );
    expect(origins).toEqual(
      expect.objectContaining({
        data: 'file',
        port: 'flag',
        quotaBytes: 'environment',
        openUploads: 'file',
        connections: 'default',
      }),
    );
  });

  test('may be in a file that an editor began with a byte order mark', () => {
    const config = file(`\ufeff${JSON.stringify({ data: 'f', port: 3 })}`);
    expect(resolveServeConfig({ flags: { config }, environment: {} }).config.port).toBe(3);
  });

  test('is found through the environment', () => {
    const environment = { TACET_SERVE_CONFIG: file({ data: 'f', pool: true }) };
    expect(resolveServeConfig({ flags: {}, environment }).config.pool).toBe(true);
  });

  test.each<[string, unknown, Record<string, string>, string, RegExp]>([
    ['an unknown setting', { data: 'f', secret: 1 }, {}, 'config-invalid', /no setting "secret"/],
    [
      'a value of another type',
      { data: 'f', port: '7420' },
      {},
      'config-invalid',
      /port: expected/,
    ],
    ['a value out of range', { data: 'f', port: 70_000 }, {}, 'config-invalid', /0 to 65535/],
    ['text that is no JSON', '{', {}, 'config-invalid', /JSON object/],
    ['a misspelt variable', { data: 'f' }, { TACET_SERVE_PROT: '1' }, 'config-invalid', /PROT/],
    ['a variable that is no number', {}, { TACET_SERVE_PORT: 'x' }, 'config-invalid', /PORT: exp/],
    ['a key without its certificate', { data: 'f', tlsKey: 'k' }, {}, 'config-invalid', /together/],
    ['no directory', {}, {}, 'usage', /--data/],
  ])('with %s is refused', (_, content, environment, code, message) => {
    const resolve = () => resolveServeConfig({ flags: { config: file(content) }, environment });
    expect(resolve).toThrow(coded(code));
    expect(resolve).toThrow(message);
  });

  test.each([
    ['environment', [], { TACET_SERVE_TRUSTED_PROXIES: '10.0.0.0/8' }],
    ['flag', ['--trusted-proxies', '10.0.0.0/8'], {}],
    ['file', ['--config', 'tacet.json'], {}],
  ])(
    'takes proxies from the %s, and checks that they are addresses',
    async (origin, flags, more) => {
      const path = file({ trustedProxies: '10.0.0.0/8' });
      const given = flags.map((flag) => (flag === 'tacet.json' ? path : flag));
      const before = { ...process.env };
      Object.assign(process.env, more);
      const { stdout } = await capturedRun('config', 'check', '--data', 'd', ...given);
      process.env = before;
      expect(stdout).toMatch(new RegExp(`^trustedProxies +10\\.0\\.0\\.0/8 +${origin}$`, 'm'));
      expect(stdout).toMatch(/^proxyHeader +x-forwarded-for +default$/m);
      for (const wrong of ['proxy', '10.0.0.0/99']) {
        const refused = await capturedRun(
          'config',
          'check',
          '--data',
          'd',
          '--trusted-proxies',
          wrong,
        );
        expect(refused.exit).toBe(2);
        expect(refused.stderr).toMatch(/config-invalid: trustedProxies: "\S+" is no address/);
      }
      const other = await capturedRun(
        'config',
        'check',
        '--data',
        'd',
        '--proxy-header',
        'x-real-ip',
      );
      expect(other.exit).toBe(2);
    },
  );

  test.each<[string, (...names: string[]) => string[], RegExp]>([
    [
      'a provider of OpenID of which the rest is missing',
      () => ['--openid-issuer', 'https://id.example.org'],
      /config-invalid: openidIssuer: give openidClient/,
    ],
    ['a key of the log that is not there', (none) => ['--log-key', none], /file-not-found: /],
    [
      'another place of blobs',
      () => ['--blobs', 'ftp://x'],
      /config-invalid: blobs: expected disk/,
    ],
    ['a bucket without a name', () => ['--blobs', 's3:garbage'], /config-invalid: blobs: /],
    ['a folder of notes', (_, notes) => ['--data', notes], /conflict: .* holds 1 other files/],
    [
      'a certificate and a key that are no PEM',
      (_, notes) => ['--tls-certificate', `${notes}/a.txt`, '--tls-key', `${notes}/a.txt`],
      /config-invalid: .*a\.txt and .*a\.txt: expected a certificate/,
    ],
  ])('is refused with %s, for check as for serve', async (_, flags, message) => {
    const [none, notes, data] = ['none', 'notes', 'data'].map((name) => join(directory, name));
    mkdirSync(notes, { recursive: true });
    writeFileSync(join(notes, 'a.txt'), 'Seen.');
    for (const command of [
      ['config', 'check'],
      ['serve', '--port', '0'],
    ]) {
      const given = [...command, '--data', data, ...flags(none, notes)];
      const { exit, stdout, stderr } = await capturedRun(...given);
      expect([exit === 0, stdout, stderr]).toEqual([false, '', expect.stringMatching(message)]);
      expect([existsSync(data), readdirSync(notes)]).toEqual([false, ['a.txt']]);
    }
  });

  test('is checked with the servers that would run, and their ports', async () => {
    const check = async (...flags: string[]) => {
      const { stdout } = await capturedRun('--json', 'config', 'check', '--data', 'd', ...flags);
      const { config, origins } = JSON.parse(stdout);
      const names = ['registry', 'pool', 'registryPort', 'poolPort'];
      return names.map((name) => `${config[name]} ${origins[name]}`);
    };
    const both = ['true default', 'true default', '7420 default', '7421 default'];
    expect(await check()).toEqual(both);
    const ports = ['--port', '80', '--pool-port', '90'];
    const stated = ['true flag', 'true flag', '80 flag', '90 flag'];
    expect(await check('--registry', '--pool', ...ports)).toEqual(stated);
    const pool = ['false default', 'true flag', 'undefined undefined', '7420 default'];
    expect(await check('--pool')).toEqual(pool);
  });

  test('has a port for the pool beside the registry, or is refused', async () => {
    const check = (...ports: string[]) =>
      capturedRun('config', 'check', '--data', 'd', '--port', '65535', ...ports);
    const { exit, stderr } = await check();
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/usage: port 65535: the pool takes/)]);
    expect((await check('--pool-port', '7421')).exit).toBe(0);
    expect((await check('--pool')).exit).toBe(0);
  });

  test('has no port for both registry and pool, but any free ones', async () => {
    const check = (...ports: string[]) =>
      capturedRun('config', 'check', '--data', 'd', ...ports.flatMap((one) => one.split('=')));
    const refused = [2, expect.stringMatching(/usage: port 7421: .* cannot have the same one/)];
    for (const ports of [['--registry-port=7421'], ['--port=7421', '--pool-port=7421']]) {
      const { exit, stderr } = await check(...ports);
      expect([exit, stderr]).toEqual(refused);
    }
    expect((await check('--port=0')).exit).toBe(0);
    expect((await check('--registry-port=0', '--pool-port=0')).exit).toBe(0);
  });

  test('is shown whole, with where each value comes from', async () => {
    const { exit, stdout } = await capturedRun('config', 'check', '--data', 'd', '--port', '1');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^data +d +flag$/m);
    expect(stdout).toMatch(/^port +1 +flag$/m);
    for (const [name, setting] of Object.entries(SERVE_SETTINGS)) {
      if (setting.default !== undefined) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    }
  });

  test('names no types that may be kept where all entities may be, for check as for serve', async () => {
    const given = file({ data: 'f', pool: true, keptTypes: 'ORG' });
    const { exit, stderr } = await capturedRun('config', 'check', '--config', given);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/state replacedOnly as well/)]);
    const both = file({ data: 'f', pool: true, keptTypes: 'ORG', replacedOnly: true });
    expect((await capturedRun('config', 'check', '--config', both)).exit).toBe(0);
  });
});
