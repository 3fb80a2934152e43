import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keyIdOf, verify } from '../../proto/dsse.js';
import { publicKeyOf, rawPublicKey } from '../../proto/ed25519-key.js';
import { smallOrderKeys, unsoundKey } from './small-order-keys.js';

const coded = (code: string) => expect.objectContaining({ code });

describe('an Ed25519 public key', () => {
  test('is read from its raw bytes and written to the same', () => {
    for (let i = 0; i < 20; i++) {
      const raw = rawPublicKey(generateKeyPairSync('ed25519').publicKey);
      expect(Buffer.from(rawPublicKey(publicKeyOf(raw)))).toEqual(Buffer.from(raw));
    }
  });

  test('of small order is refused, in every encoding, however it is read', () => {
    const keys = smallOrderKeys();
    expect(keys).toHaveLength(14);
    for (const raw of keys) {
      expect(() => publicKeyOf(raw)).toThrow(coded('key-invalid'));
      expect(() => rawPublicKey(unsoundKey(raw))).toThrow(coded('key-invalid'));
      expect(() => keyIdOf(unsoundKey(raw))).toThrow(coded('key-invalid'));
    }
  });

  test('of small order opens no envelope, though its signature of nobody holds', () => {
    const neutral = unsoundKey(Buffer.from(`01${'00'.repeat(31)}`, 'hex'));
    // Some releases of OpenSSL take 01 00 ... 00 for a signature under it, whatever the message.
    const sig = `01${'00'.repeat(63)}`;
    const signatures = [{ keyid: 'any', sig: Buffer.from(sig, 'hex').toString('base64') }];
    const envelope = { payloadType: 'type', payload: '', signatures };
    expect(() => verify(envelope, 'type', [neutral])).toThrow(coded('key-invalid'));
  });

  test.each([
    ['the prime and more', Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex')],
    ['the largest number', Buffer.alloc(32, 0xff)],
    ['31 bytes', Buffer.alloc(31, 9)],
    ['33 bytes', Buffer.alloc(33, 9)],
  ])('of %s is refused', (_, raw) => {
    expect(() => publicKeyOf(raw)).toThrow(coded('key-invalid'));
  });

  test('of another curve is refused', () => {
    const { publicKey } = generateKeyPairSync('x25519');
    expect(() => rawPublicKey(publicKey)).toThrow(coded('key-invalid'));
    expect(createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).type).toBe('public');
  });
});
