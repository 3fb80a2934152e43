/**
 * Numbers for the weights of a network, as they travel: `TFU1`, the length of a header of JSON in four bytes, the header,
 * then for an update that names its places these (32 bits each), then the values (float32), all little-endian.
 */
import type { KeyObject } from 'node:crypto';
import { sha256Hex } from './digest.js';
import { ENVELOPE, type Envelope, keyIdOf, sign, verify } from './dsse.js';
import { TacetError } from './errors.js';
import { requireJson } from './json-text.js';
import { base64, DIGEST, NAME, NATURAL } from './schemas.js';
import { Type } from './typebox.js';
import { closedObject, nullable, type TypeOf } from './typed-schema.js';
import { validator } from './validator.js';

const FEDERATION_UPDATE_TYPE = 'application/vnd.tacet.federation-update';

const MAGIC = Buffer.from('TFU1');
const MOST_HEADER_BYTES = 4096;
const MOST_WEIGHTS = 16_000_000;
/** More than any worker has: one that states more would outweigh all others. */
const MOST_TEXTS = 2 ** 31;
/** Of base64, for 16 million weights with their places. */
const MOST_PAYLOAD = 176_000_000;

const HEADER = closedObject({
  /** SHA-256 of the plan that a worker trained by; null for what the coordinator hands out. */
  plan: nullable(DIGEST),
  /** Who sends it; null for what the coordinator hands out. */
  worker: nullable(NAME),
  keyId: nullable(DIGEST),
  /** The worker's own epoch, or the round. */
  epoch: NATURAL,
  /** On how many texts it rests. */
  texts: Type.Integer({ minimum: 0, maximum: MOST_TEXTS }),
  /** How many places it names; null where it has a value for every weight. */
  places: nullable(NATURAL),
  values: NATURAL,
});
export type FederationHeader = TypeOf<typeof HEADER>;
const parseHeader = validator(HEADER, 'federation-update-invalid', 'the header of the update');

/** Of all that a coordinator hands out: a value and a place for each weight. */
export const MOST_NUMBERS_BYTES = 8 + MOST_HEADER_BYTES + 8 * MOST_WEIGHTS;

/** As `WeightUpdate` of the models. */
export interface Numbers {
  readonly places?: Uint32Array | undefined;
  readonly values: Float32Array;
}

export interface FederationMessage extends Numbers {
  readonly header: FederationHeader;
}

const FEDERATION_ENVELOPE = closedObject(
  { ...ENVELOPE.properties, payload: base64(MOST_PAYLOAD) },
  { title: 'FederationUpdateEnvelope' },
);

/** Checks the shape of an envelope, not its signatures; throws `request-invalid`. */
export const parseFederationEnvelope = validator(
  FEDERATION_ENVELOPE,
  'request-invalid',
  'the DSSE envelope',
);

export function encodeNumbers(
  { places, values }: Numbers,
  stated: Omit<FederationHeader, 'places' | 'values'>,
): Buffer {
  const header: FederationHeader = {
    ...stated,
    ...{ places: places?.length ?? null, values: values.length },
  };
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const numbers = [places, values].map((array) => (array ? bytesOf(array) : Buffer.alloc(0)));
  return Buffer.concat([MAGIC, length, text, ...numbers]);
}

/** Throws `federation-update-invalid`. */
export function decodeNumbers(bytes: Uint8Array): FederationMessage {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 8 || !buffer.subarray(0, 4).equals(MAGIC))
    throw invalid('it does not begin as an update does');
  const headerBytes = buffer.readUInt32LE(4);
  if (headerBytes > MOST_HEADER_BYTES || 8 + headerBytes > buffer.length)
    throw invalid(`its header is ${headerBytes} bytes long`);
  const text = buffer.subarray(8, 8 + headerBytes);
  const header = parseHeader(
    requireJson(text, 'federation-update-invalid', 'the header of the update is not JSON'),
  );
  const placeBytes = 4 * (header.places ?? 0);
  const expected = 8 + headerBytes + placeBytes + 4 * header.values;
  if (buffer.length !== expected)
    throw invalid(`it has ${buffer.length} bytes; its header says ${expected}`);
  const numbers = buffer.subarray(8 + headerBytes);
  const placed = numbers.subarray(0, placeBytes);
  const values = new Float32Array(copyOf(numbers.subarray(placeBytes)));
  if (header.places === null) return { header, values };
  return { header, values, places: new Uint32Array(copyOf(placed)) };
}

/** Signs an update with the worker's key, which it names. */
export function signUpdate(
  update: Numbers,
  stated: Pick<FederationHeader, 'epoch' | 'texts'> & {
    readonly plan: string;
    readonly worker: string;
  },
  privateKey: KeyObject,
): Envelope {
  const bytes = encodeNumbers(update, { ...stated, keyId: keyIdOf(privateKey) });
  return sign(FEDERATION_UPDATE_TYPE, bytes, privateKey);
}

/**
 * The update of an envelope, signed by the key that it names, for the federation of the plan that has this digest. Throws
 * `key-untrusted`, `signature-invalid` or `federation-update-invalid`.
 */
export function openUpdate(
  envelope: Envelope,
  trusted: readonly KeyObject[],
  plan: string,
): FederationMessage {
  const { payload, keyIds } = verify(envelope, FEDERATION_UPDATE_TYPE, trusted);
  const message = decodeNumbers(payload);
  const { keyId } = message.header;
  if (keyId === null || !keyIds.includes(keyId))
    throw new TacetError('signature-invalid', 'the key that the update names did not sign it');
  const { plan: signedFor } = message.header;
  if (signedFor !== plan)
    throw new TacetError(
      'federation-update-invalid',
      `the update was signed for another federation (the SHA-256 of its plan is ${signedFor}; expected ${plan}); ` +
        'send it to the coordinator of that plan',
    );
  return message;
}

/** SHA-256 in hex of weights [N], float32, little-endian. */
export function weightsDigest(weights: Float32Array): string {
  return sha256Hex(bytesOf(weights));
}

function bytesOf(array: Uint32Array | Float32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** Aligned, as numbers of four bytes must be. */
function copyOf(bytes: Buffer): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

function invalid(message: string): TacetError {
  return new TacetError('federation-update-invalid', `the update is malformed: ${message}`);
}
