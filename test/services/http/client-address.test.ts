import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Servers } from '../../../services/cli/servers.js';
import {
  clientAddress,
  isEncrypted,
  limitedBy,
  NO_PROXIES,
  type ProxyHeader,
  trustedProxies,
} from '../../../services/http/client-address.js';
import { DEFAULT_LIMITS } from '../../../services/http/limits.js';
import { createWorld, serve, type World } from '../world.js';

const CONNECTIONS = 10;
const trusted = trustedProxies('127.0.0.1, 10.0.0.0/8, fd00::/8');

function addressOf(peer: string, value: string, header: ProxyHeader = 'x-forwarded-for'): string {
  const request = { socket: { remoteAddress: peer }, headers: { [header]: value } };
  return clientAddress(request, { trusted, header });
}

describe('the address of a client', () => {
  test('is that of the peer where no proxy is trusted', () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' };
    const request = { socket: { remoteAddress: '127.0.0.1' }, headers };
    expect(clientAddress(request, NO_PROXIES)).toBe('127.0.0.1');
  });

  test.each([
    ['an untrusted peer is not believed', '192.0.2.9', '198.51.100.1', '192.0.2.9'],
    ['a trusted peer is', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['so is one that is written as IPv6', '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['what the client wrote before is not', '10.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['a chain is followed as far as trust goes', 'fd00::1', '9.9.9.9,8.8.8.8, 10.2.2.2', '8.8.8.8'],
    ['a whole chain of proxies ends at its first', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['ports are left out', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 has brackets where it has a port', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['no address: the proxy answers for its client', '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
    ['nothing at all: likewise', '10.0.0.1', '', '10.0.0.1'],
  ])('by X-Forwarded-For: %s', (_, peer, value, expected) => {
    expect(addressOf(peer, value)).toBe(expected);
  });

  test.each([
    ['for=192.0.2.60;proto=http;by=203.0.113.43', '192.0.2.60'],
    ['For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
    ['for=1.2.3.4, proto=https;for=198.51.100.1', '198.51.100.1'],
    ['for="x, for=198.51.100.1', '198.51.100.1'],
    ['for=_hidden', '10.0.0.1'],
  ])('by Forwarded: %s', (value, expected) => {
    expect(addressOf('10.0.0.1', value, 'forwarded')).toBe(expected);
  });

  test('is taken from the one header that the proxies write', () => {
    const headers = { forwarded: 'for=1.2.3.4', 'x-forwarded-for': '198.51.100.1' };
    const request = { socket: { remoteAddress: '10.0.0.1' }, headers };
    expect(clientAddress(request, { trusted, header: 'x-forwarded-for' })).toBe('198.51.100.1');
    expect(clientAddress(request, { trusted, header: 'forwarded' })).toBe('1.2.3.4');
  });

  test.each(['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.1,', '1.2.3.4/x'])(
    'is from no proxy named %j',
    (list) => {
      expect(() => trustedProxies(list)).toThrow(
        expect.objectContaining({ code: 'config-invalid' }),
      );
    },
  );

  test('counts by the network of an IPv6 subscriber', () => {
    expect(limitedBy('192.0.2.1')).toBe('192.0.2.1');
    expect(limitedBy('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(limitedBy('2001:db8:1:2::9')).toBe(limitedBy('2001:DB8:1:2:ffff::1'));
    expect(limitedBy('2001:db8:1:3::9')).not.toBe(limitedBy('2001:db8:1:2::9'));
    expect(limitedBy('::1')).toBe('0:0:0:0::/64');
    expect(limitedBy('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(limitedBy('')).toBe('');
  });
});

describe('whether the client speaks TLS', () => {
  test.each([
    ['a trusted proxy says so', '127.0.0.1', 'x-forwarded-proto', 'https', true],
    ['a trusted proxy says no', '127.0.0.1', 'x-forwarded-proto', 'http', false],
    [
      'the last proxy counts, not what was written before',
      '10.0.0.1',
      'x-forwarded-proto',
      'https, http',
      false,
    ],
    ['nobody else is believed', '192.0.2.9', 'x-forwarded-proto', 'https', false],
    ['nothing is said', '127.0.0.1', 'x-other', 'https', false],
    ['by Forwarded', '127.0.0.1', 'forwarded', 'for=192.0.2.1;proto=https', true],
    ['by Forwarded, of another', '192.0.2.9', 'forwarded', 'for=192.0.2.1;proto=https', false],
  ])('%s', (_case, peer, name, value, expected) => {
    const header = name === 'forwarded' ? 'forwarded' : 'x-forwarded-for';
    const request = { socket: { remoteAddress: peer }, headers: { [name]: value } };
    expect(isEncrypted(request, { trusted, header })).toBe(expected);
  });

  test('here, whoever else says what', () => {
    const socket = { remoteAddress: '192.0.2.9', encrypted: true };
    expect(isEncrypted({ socket, headers: {} }, NO_PROXIES)).toBe(true);
  });
});

describe('requests without a valid token', () => {
  let world: World;
  let servers: Servers;
  afterEach(async () => {
    await servers.close();
    world.remove();
  });

  const ask = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${servers.addresses.pool}/v1/statistics`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
  const statusOf = async (...of: Parameters<typeof ask>) => (await ask(...of)).status;
  const strict = { ...DEFAULT_LIMITS, requestsPerMinute: 3 };

  test('do not lock out a token from the same address, be they ten thousand', async () => {
    world = await createWorld();
    servers = await serve(world, { limits: { ...DEFAULT_LIMITS, requestsPerMinute: 600 } });
    const [id] = world.tokens.admin.split('.');
    const wrong = ['', 'wrong', `${id}.${'A'.repeat(43)}`, `${'0'.repeat(16)}.${'A'.repeat(43)}`];
    const counts: Record<number, number> = {};
    await flood(servers.addresses.pool ?? '', 10_000, wrong, counts);
    expect(counts[401]).toBeGreaterThanOrEqual(600);
    expect(counts[429]).toBeGreaterThan(0);
    expect((counts[401] ?? 0) + (counts[429] ?? 0)).toBe(10_000);
    expect(await statusOf(world.tokens.consumer)).toBe(200);
  }, 300_000);

  test('are counted alike whatever address an untrusted peer writes', async () => {
    world = await createWorld();
    servers = await serve(world, { limits: strict });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const address = `198.51.100.${i}`;
      statuses.push(
        await statusOf('wrong', { 'X-Forwarded-For': address, Forwarded: `for=${address}` }),
      );
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test('are counted by client behind a proxy that is trusted', async () => {
    world = await createWorld();
    const proxies = { trusted: trustedProxies('127.0.0.1'), header: 'x-forwarded-for' } as const;
    servers = await serve(world, { limits: strict, proxies });
    const from = (address: string) => statusOf('wrong', { 'X-Forwarded-For': address });
    for (let i = 0; i < 3; i++) expect(await from('198.51.100.1')).toBe(401);
    expect(await from('198.51.100.1')).toBe(429);
    expect(await from(`1.2.3.4, 198.51.100.1`)).toBe(429);
    expect(await from('198.51.100.2')).toBe(401);
    for (let i = 0; i < 3; i++) expect(await from(`2001:db8::${i}`)).toBe(401);
    expect(await from('2001:db8::ffff')).toBe(429);
    expect(await statusOf(world.tokens.admin, { 'X-Forwarded-For': '198.51.100.1' })).toBe(200);
  });

  test('of a valid token count where its role is refused, too', async () => {
    world = await createWorld();
    servers = await serve(world, { limits: strict });
    const forbidden = async () => {
      const headers = { Authorization: `Bearer ${world.tokens.monitor}` };
      return (await fetch(`${servers.addresses.pool}/v1/tokens`, { headers })).status;
    };
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push(await forbidden());
    expect(statuses).toEqual([403, 403, 403, 429]);
  });
});

/** Counts the answers to as many requests with wrong tokens, one after another on ten connections. */
async function flood(
  url: string,
  requests: number,
  tokens: readonly string[],
  counts: Record<number, number>,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const share = requests / CONNECTIONS;
  const lane = async () => {
    const socket = connect(Number(port), hostname);
    for (let i = 0; i < share; i++) {
      const last = i === share - 1 ? 'Connection: close\r\n' : '';
      const authorization = `Authorization: Bearer ${tokens[i % tokens.length]}\r\n`;
      socket.write(`GET /v1/statistics HTTP/1.1\r\nHost: x\r\n${authorization}${last}\r\n`);
    }
    for (const [, status] of (await text(socket)).matchAll(/HTTP\/1\.1 (\d{3}) /g))
      counts[Number(status)] = (counts[Number(status)] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}
