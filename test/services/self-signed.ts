import { generateKeyPairSync, sign } from 'node:crypto';
import type { Tls } from '../../services/http/server.js';

const YEAR_MS = 365 * 24 * 3_600_000;

/** A certificate for `localhost` and 127.0.0.1 that its own Ed25519 key signed (RFC 5280, RFC 8410). */
export function selfSigned(): Tls {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(oid(0x2b, 0x65, 0x70));
  const name = sequence(element(0x31, sequence(oid(0x55, 0x04, 0x03), element(0x0c, 'localhost'))));
  const names = sequence(element(0x82, 'localhost'), element(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(sequence(oid(0x55, 0x1d, 0x11), element(0x04, names)));
  const facts = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(Date.now() - YEAR_MS), time(Date.now() + YEAR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, extensions),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign(null, facts, privateKey)]);
  const certificate = sequence(facts, algorithm, element(0x03, signature)).toString('base64');
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One DER element. */
function element(tag: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  const { length } = bytes;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}

function sequence(...elements: readonly Uint8Array[]): Buffer {
  return element(0x30, Buffer.concat(elements));
}

function oid(...bytes: readonly number[]): Buffer {
  return element(0x06, Buffer.from(bytes));
}

function time(ms: number): Buffer {
  return element(0x17, new Date(ms).toISOString().replace(/^20|[-:T]|\.\d+/g, ''));
}
