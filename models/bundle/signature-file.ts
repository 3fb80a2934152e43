import { type Envelope, MAX_SIGNATURES, parseEnvelope } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { jsonIn } from '../../proto/json-text.js';

/** The bytes of `signature.json`. Throws `bundle-signature` where nobody could read them, for there are too many signatures. */
export function writeSignature({ payloadType, payload, signatures }: Envelope): Uint8Array {
  if (signatures.length > MAX_SIGNATURES)
    throw new TacetError(
      'bundle-signature',
      `${signatures.length} signatures; a bundle has ${MAX_SIGNATURES} at most, so sign a copy that fewer keys signed`,
    );
  const entries = signatures.map(({ keyid, sig }) => ({ keyid, sig: respell(sig) }));
  const envelope = { payloadType, payload: respell(payload), signatures: entries };
  return Buffer.from(`${JSON.stringify(envelope, null, 2)}\n`);
}

/**
 * The envelope in `signature.json`, which must be spelt as `writeSignature` does: in any other
 * spelling, bytes that no signature covers could vary unseen. Throws `bundle-signature`, or `request-invalid` where it is no envelope.
 */
export function readSignature(bytes: Uint8Array): Envelope {
  const envelope = parseEnvelope(jsonIn(bytes));
  if (!Buffer.from(writeSignature(envelope)).equals(bytes))
    throw new TacetError('bundle-signature', 'expected a DSSE envelope as tacet writes it');
  return envelope;
}

/** Base64 has unused bits at its end, which decoding drops. */
function respell(base64Text: string): string {
  return Buffer.from(base64Text, 'base64').toString('base64');
}
