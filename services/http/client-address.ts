import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import { TacetError } from '../../proto/errors.js';

/** Which header a proxy writes the address of its client into: the usual one, or that of RFC 7239. */
export const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

/** The proxies in front of a server, and how they say whom they speak for. */
export interface Proxies {
  readonly trusted: BlockList;
  readonly header: ProxyHeader;
}

export const NO_PROXIES: Proxies = { trusted: new BlockList(), header: 'x-forwarded-for' };

type Asked = Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } };

/**
 * The proxies of a list of addresses and networks, `127.0.0.1, 10.0.0.0/8, fd00::/8`. Throws
 * `config-invalid`.
 */
export function trustedProxies(list: string): BlockList {
  const trusted = new BlockList();
  for (const item of list.split(',').map((each) => each.trim())) {
    const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const bits = family === 'ipv6' ? 128 : 32;
    const prefix = length === undefined ? bits : Number(length);
    if (!isIP(address) || prefix > bits)
      throw new TacetError(
        'config-invalid',
        `trustedProxies: ${JSON.stringify(item)} is no address and no network such as 10.0.0.0/8`,
      );
    trusted.addSubnet(address, prefix, family);
  }
  return trusted;
}

/**
 * Who sent a request: the peer or, where that is a trusted proxy, whom it says it speaks for, as far
 * back as trusted proxies vouch. Whatever else stands in the header, the client may have written.
 */
export function clientAddress({ socket, headers }: Asked, { trusted, header }: Proxies): string {
  let address = withoutMapping(socket.remoteAddress ?? '');
  const value = headers[header];
  const hops = (typeof value === 'string' ? value : '').split(',').reverse();
  for (const hop of hops) {
    if (!isTrusted(address, trusted)) break;
    const before = addressIn(header === 'forwarded' ? forParameter(hop) : hop);
    // A proxy that hides its client answers for it.
    if (before === undefined) break;
    address = before;
  }
  return address;
}

/** Whether the client speaks TLS, here or, where a trusted proxy says so, with that. */
export function isEncrypted({ socket, headers }: Asked, { trusted, header }: Proxies): boolean {
  if ('encrypted' in socket && socket.encrypted === true) return true;
  if (!isTrusted(withoutMapping(socket.remoteAddress ?? ''), trusted)) return false;
  const value = headers[header === 'forwarded' ? header : 'x-forwarded-proto'];
  const last = (typeof value === 'string' ? value : '').split(',').at(-1) ?? '';
  const protocol = header === 'forwarded' ? /(?:^|;)\s*proto\s*=\s*"?(\w+)/i.exec(last)?.[1] : last;
  return protocol?.trim().toLowerCase() === 'https';
}

/** What a limit by address counts by: an IPv6 subscriber has a whole /64 (RFC 6177, section 2). */
export function limitedBy(address: string): string {
  if (!isIPv6(address)) return address;
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return isIP(address) > 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** `for` of an element of `Forwarded`: "for=192.0.2.60;proto=http", "for="[2001:db8::1]:4711"". */
function forParameter(element: string): string {
  return /(?:^|;)\s*for\s*=\s*"?([^";]*)"?/i.exec(element)?.[1] ?? '';
}

/** Without brackets and port; undefined for `unknown`, an obfuscated name and anything else. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const address = bracketed ?? beforePort ?? text;
  return isIP(address) ? withoutMapping(address) : undefined;
}

/** An IPv4 address as such, also where a socket for both kinds writes it as IPv6. */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;
}

/** The eight numbers of an IPv6 address, in hex. */
function groupsOf(address: string): string[] {
  // WHATWG URLs write the numbers without leading zeros and an embedded IPv4 address in hex.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  return [...head, ...new Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
