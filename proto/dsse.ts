import { sign as cryptoSign, verify as cryptoVerify, type KeyObject } from 'node:crypto';
import { sha256Hex } from './digest.js';
import { rawPublicKey } from './ed25519-key.js';
import { TacetError } from './errors.js';
import { base64, DIGEST } from './schemas.js';
import { Type } from './typebox.js';
import { closedObject, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

/** Of one envelope. */
export const MAX_SIGNATURES = 16;

export const ENVELOPE = closedObject(
  {
    payloadType: Type.String({ minLength: 1, maxLength: 200 }),
    payload: base64(1_000_000),
    signatures: Type.Array(
      closedObject({
        /** A hint, not authenticated: which key to try. */
        keyid: DIGEST,
        sig: base64(100),
      }),
      { minItems: 1, maxItems: MAX_SIGNATURES },
    ),
  },
  { title: 'Envelope' },
);

/** A signed payload: DSSE v1, https://github.com/secure-systems-lab/dsse/blob/master/envelope.md */
export type Envelope = TypeOf<typeof ENVELOPE>;

/** Checks the shape of an envelope, not its signatures; throws `request-invalid`. */
export const parseEnvelope = validator(ENVELOPE, 'request-invalid', 'the DSSE envelope');

/** What a verified envelope says, and which of the trusted keys said it. */
export interface Verified {
  readonly payload: Uint8Array;
  readonly keyIds: readonly string[];
}

/**
 * SHA-256, in hex, of the 32 raw bytes of an Ed25519 key; of a private key, its public half. Throws
 * `key-invalid`.
 */
export function keyIdOf(key: KeyObject): string {
  return sha256Hex(rawPublicKey(key));
}

/** The bytes that are signed: "PAE(type, body) = "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body". */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType);
  const start = `DSSEv1 ${type.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(start), payload]);
}

/** Signs `payload` with each Ed25519 private key. */
export function sign(
  payloadType: string,
  payload: Uint8Array,
  ...privateKeys: readonly KeyObject[]
): Envelope {
  const message = preAuthenticationEncoding(payloadType, payload);
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: privateKeys.map((key) => ({
      keyid: keyIdOf(key),
      sig: cryptoSign(null, message, key).toString('base64'),
    })),
  };
}

/**
 * The payload of an envelope of the expected type that at least one trusted key signed. A trusted
 * key whose signature is wrong refuses the envelope; unknown keys are passed over. Throws
 * `signature-invalid`, where no trusted key signed `key-untrusted`, and `key-invalid` for a trusted key
 * that is none.
 */
export function verify(
  envelope: Envelope,
  payloadType: string,
  trustedKeys: readonly KeyObject[],
): Verified {
  if (envelope.payloadType !== payloadType) {
    throw new TacetError('signature-invalid', `the envelope is not of the type ${payloadType}`);
  }
  if (envelope.signatures.length > MAX_SIGNATURES) {
    throw new TacetError('signature-invalid', `more than ${MAX_SIGNATURES} signatures`);
  }
  const payload = Buffer.from(envelope.payload, 'base64');
  const message = preAuthenticationEncoding(payloadType, payload);
  const trusted = new Map(trustedKeys.map((key) => [keyIdOf(key), key]));
  const keyIds = new Set<string>();
  for (const { keyid, sig } of envelope.signatures) {
    const key = trusted.get(keyid);
    if (!key) continue;
    if (!cryptoVerify(null, message, key, Buffer.from(sig, 'base64'))) {
      throw new TacetError('signature-invalid', `the signature of key ${keyid} is wrong`);
    }
    keyIds.add(keyid);
  }
  if (keyIds.size === 0) {
    const found = envelope.signatures.map(({ keyid }) => keyid).join(', ') || 'none';
    throw new TacetError('key-untrusted', `no trusted key signed; signed by: ${found}`);
  }
  return { payload, keyIds: [...keyIds] };
}
