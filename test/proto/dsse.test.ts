import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keyIdOf, preAuthenticationEncoding, sign, verify } from '../../proto/dsse.js';

const TYPE = 'application/vnd.tacet.test+json';
const payload = Buffer.from('{"a":1}');
const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');

const coded = (code: string) => expect.objectContaining({ code });
function failure(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('a DSSE envelope', () => {
  test('signs the encoding that the specification prints', () => {
    const bytes = preAuthenticationEncoding(
      'http://example.com/HelloWorld',
      Buffer.from('hello world'),
    );
    expect(Buffer.from(bytes).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  test('opens with a key that signed it, and names that key', () => {
    const envelope = sign(TYPE, payload, ours.privateKey, theirs.privateKey);
    const verified = verify(envelope, TYPE, [theirs.publicKey]);
    expect(Buffer.from(verified.payload)).toEqual(payload);
    expect(verified.keyIds).toEqual([keyIdOf(theirs.publicKey)]);
    expect(keyIdOf(theirs.privateKey)).toBe(keyIdOf(theirs.publicKey));
  });

  test('is not trusted for an unknown key', () => {
    const envelope = sign(TYPE, payload, theirs.privateKey);
    expect(failure(() => verify(envelope, TYPE, [ours.publicKey]))).toEqual(coded('key-untrusted'));
  });

  test('is refused for another payload, another type or a claimed key', () => {
    const envelope = sign(TYPE, payload, ours.privateKey);
    const changed = { ...envelope, payload: Buffer.from('{"a":2}').toString('base64') };
    const claimed = {
      ...envelope,
      signatures: [{ keyid: keyIdOf(theirs.publicKey), sig: envelope.signatures[0]?.sig ?? '' }],
    };
    const trusted = [ours.publicKey, theirs.publicKey];
    for (const [bad, type] of [
      [changed, TYPE],
      [claimed, TYPE],
      [envelope, 'application/other'],
    ] as const) {
      expect(failure(() => verify(bad, type, trusted))).toEqual(coded('signature-invalid'));
    }
  });

  test('takes Ed25519 keys alone', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(failure(() => sign(TYPE, payload, privateKey))).toEqual(coded('key-invalid'));
  });
});
