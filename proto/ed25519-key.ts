import { createPublicKey, type KeyObject } from 'node:crypto';
import { TacetError } from './errors.js';

const RAW_KEY_BYTES = 32;
const PRIME = 2n ** 255n - 19n;
const SIGN_BIT = 2n ** 255n;

/** The smaller y of the points of order 8 (RFC 8032, section 5.1: the cofactor of the curve is 8). */
const ORDER_8 = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;

/**
 * y of the eight points whose order divides 8, whatever the sign of x: the neutral element, the point of
 * order 2, both of order 4 and all four of order 8. Under such a key one signature holds for one message
 * in eight or for every message, so nobody in particular has signed (Chalkias, Garillot, Nikolaenko,
 * "Taming the many EdDSAs", 2020, section 3).
 */
const SMALL_ORDER: ReadonlySet<bigint> = new Set([1n, PRIME - 1n, 0n, ORDER_8, PRIME - ORDER_8]);

/**
 * The Ed25519 public key of these 32 bytes. Throws `key-invalid` for another length, for a point of
 * small order, and for a point that could be written in another way, which would give one key two ids.
 */
export function publicKeyOf(raw: Uint8Array): KeyObject {
  requireSound(raw);
  const x = Buffer.from(raw).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** The 32 raw bytes of an Ed25519 public key, checked as `publicKeyOf` does. Throws `key-invalid`. */
export function rawPublicKey(key: KeyObject): Uint8Array {
  if (key.asymmetricKeyType !== 'ed25519') {
    const found = key.asymmetricKeyType ?? key.type;
    throw new TacetError('key-invalid', `expected an Ed25519 key, found ${found}`);
  }
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-RAW_KEY_BYTES);
  requireSound(raw);
  return raw;
}

/** Every public key that is read passes here. Throws `key-invalid`. */
function requireSound(raw: Uint8Array): void {
  if (raw.length !== RAW_KEY_BYTES) {
    const found = `${raw.length} bytes`;
    throw new TacetError(
      'key-invalid',
      `a raw Ed25519 key has ${RAW_KEY_BYTES} bytes, not ${found}`,
    );
  }
  const y = BigInt(`0x${Buffer.from(raw).reverse().toString('hex')}`) % SIGN_BIT;
  // RFC 8032, section 5.1.3: "If the resulting value is >= p, decoding fails."
  if (y >= PRIME) throw new TacetError('key-invalid', 'the Ed25519 key is no canonical point');
  if (SMALL_ORDER.has(y))
    throw new TacetError(
      'key-invalid',
      'the Ed25519 key is a point of small order, under which anyone can sign; make a key with ' +
        'tacet keys create',
    );
}
