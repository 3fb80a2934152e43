import { Ajv } from 'ajv';
import type { Envelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';

const base64 = {
  type: 'string',
  pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
};

const validate = new Ajv().compile<Envelope>({
  type: 'object',
  additionalProperties: false,
  required: ['payloadType', 'payload', 'signatures'],
  properties: {
    payloadType: { type: 'string' },
    payload: base64,
    signatures: {
      type: 'array',
      minItems: 1,
      maxItems: 16,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['keyid', 'sig'],
        properties: { keyid: { type: 'string', pattern: '^[0-9a-f]{64}$' }, sig: base64 },
      },
    },
  },
});

/** The bytes of `signature.json`. */
export function writeSignature({ payloadType, payload, signatures }: Envelope): Uint8Array {
  const entries = signatures.map(({ keyid, sig }) => ({ keyid, sig: respell(sig) }));
  const envelope = { payloadType, payload: respell(payload), signatures: entries };
  return Buffer.from(`${JSON.stringify(envelope, null, 2)}\n`);
}

/**
 * The envelope in `signature.json`, which must be spelt as `writeSignature` does: in any other
 * spelling, bytes that no signature covers could vary unseen. Throws `bundle-signature`.
 */
export function readSignature(bytes: Uint8Array): Envelope {
  const envelope = parse(bytes);
  if (!validate(envelope) || !Buffer.from(writeSignature(envelope)).equals(bytes))
    throw new TacetError('bundle-signature', 'expected a DSSE envelope as tacet writes it');
  return envelope;
}

/** Base64 has unused bits at its end, which decoding drops. */
function respell(base64Text: string): string {
  return Buffer.from(base64Text, 'base64').toString('base64');
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
