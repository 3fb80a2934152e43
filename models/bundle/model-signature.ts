/**
 * OpenSSF model signing: `model.sig`, a sigstore bundle with a DSSE envelope over an in-toto statement of every file.
 * It stands beside our own signature, which alone is what encoders trust.
 *
 * Source: https://github.com/sigstore/model-transparency/blob/main/docs/model_signing_format.md and its
 * signer of elliptic-curve keys; https://docs.sigstore.dev/about/bundle/
 */

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { sha256Hex } from '../../proto/digest.js';
import { preAuthenticationEncoding } from '../../proto/dsse.js';
import { TacetError } from '../../proto/errors.js';
import { jsonIn } from '../../proto/json-text.js';
import { base64, DIGEST } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { constant, mapOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { MODEL_SIGNATURE_FILE, SIGNATURE_FILE } from './bundle-files.js';
import { ecHashOf } from './ec-key-files.js';
import { STATEMENT_PAYLOAD_TYPE } from './statement.js';

const MEDIA_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'https://model_signing/signature/v1.0';
/** Signatures are added to a bundle that is signed already, so neither covers the other. */
const IGNORED = [MODEL_SIGNATURE_FILE, SIGNATURE_FILE];

/** Other fields may stand beside these, as their specifications say. */
const BUNDLE = Type.Object({
  mediaType: constant(MEDIA_TYPE),
  verificationMaterial: Type.Object({
    publicKey: Type.Object({ hint: Type.Optional(Type.String()) }),
  }),
  dsseEnvelope: Type.Object({
    payload: base64(1_000_000),
    payloadType: constant(STATEMENT_PAYLOAD_TYPE),
    signatures: Type.Array(Type.Object({ sig: base64(400) }), { minItems: 1, maxItems: 1 }),
  }),
});
const parseBundle = validator(
  BUNDLE,
  'bundle-signature',
  `${MODEL_SIGNATURE_FILE}, a sigstore bundle`,
);

const STATEMENT = Type.Object({
  _type: constant(STATEMENT_TYPE),
  subject: Type.Array(
    Type.Object({ name: Type.String(), digest: Type.Object({ sha256: DIGEST }) }),
    { minItems: 1, maxItems: 1 },
  ),
  predicateType: constant(PREDICATE_TYPE),
  predicate: Type.Object({
    serialization: Type.Intersect([
      Type.Object({ method: constant('files'), hash_type: constant('sha256') }),
      mapOf(Type.Unknown()),
    ]),
    resources: Type.Array(
      Type.Object({ name: Type.String(), algorithm: constant('sha256'), digest: DIGEST }),
      { minItems: 1, maxItems: 64 },
    ),
  }),
});
const parseStatement = validator(
  STATEMENT,
  'bundle-signature',
  `${MODEL_SIGNATURE_FILE}, the statement in it`,
);

/** The bytes of `model.sig`; `digests` are SHA-256 in hex by file name, the key is ECDSA's. */
export function writeModelSignature(
  model: string,
  digests: ReadonlyMap<string, string>,
  privateKey: KeyObject,
): Uint8Array {
  const payload = Buffer.from(JSON.stringify(statementOf(model, digests)));
  const message = preAuthenticationEncoding(STATEMENT_PAYLOAD_TYPE, payload);
  const sig = sign(ecHashOf(privateKey), message, privateKey).toString('base64');
  const bundle = {
    mediaType: MEDIA_TYPE,
    verificationMaterial: { publicKey: { hint: hintOf(privateKey) }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString('base64'),
      payloadType: STATEMENT_PAYLOAD_TYPE,
      signatures: [{ sig, keyid: '' }],
    },
  };
  return Buffer.from(JSON.stringify(bundle));
}

/**
 * Checks that `model.sig` names exactly these files with these digests; whose signature it has is
 * `verifyModelSignature`'s question. Throws `bundle-signature`.
 */
export function requireSameFiles(bytes: Uint8Array, digests: ReadonlyMap<string, string>): void {
  const { payload } = readModelSignature(bytes);
  const { subject, predicate } = parseStatement(jsonIn(payload));
  const named = new Map(predicate.resources.map(({ name, digest }) => [name, digest]));
  const expected = coveredBy(digests);
  const isSame =
    named.size === expected.length &&
    expected.every(([name, digest]) => named.get(name) === digest);
  const root = rootOf(predicate.resources.map(({ digest }) => digest));
  if (isSame && subject[0]?.digest.sha256 === root) return;
  throw new TacetError(
    'bundle-signature',
    `${MODEL_SIGNATURE_FILE} is of other files than the bundle has; sign the bundle again with --model-key`,
  );
}

/** Throws `bundle-signature` where the signature is not by this ECDSA key. */
export function verifyModelSignature(bytes: Uint8Array, publicKey: KeyObject): void {
  const { payload, signature, hint } = readModelSignature(bytes);
  if (hint !== undefined && hint !== hintOf(publicKey))
    throw new TacetError('key-untrusted', `${MODEL_SIGNATURE_FILE} was signed with another key`);
  const message = preAuthenticationEncoding(STATEMENT_PAYLOAD_TYPE, payload);
  if (!verify(ecHashOf(publicKey), message, publicKey, signature))
    throw new TacetError('bundle-signature', `${MODEL_SIGNATURE_FILE}: the signature is wrong`);
}

function readModelSignature(bytes: Uint8Array) {
  const { dsseEnvelope, verificationMaterial } = parseBundle(jsonIn(bytes));
  return {
    payload: Buffer.from(dsseEnvelope.payload, 'base64'),
    signature: Buffer.from(dsseEnvelope.signatures[0]?.sig ?? '', 'base64'),
    hint: verificationMaterial.publicKey.hint,
  };
}

function statementOf(model: string, digests: ReadonlyMap<string, string>) {
  const covered = coveredBy(digests);
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: model, digest: { sha256: rootOf(covered.map(([, digest]) => digest)) } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      serialization: {
        method: 'files',
        hash_type: 'sha256',
        allow_symlinks: false,
        ignore_paths: IGNORED,
      },
      resources: covered.map(([name, digest]) => ({ name, algorithm: 'sha256', digest })),
    },
  };
}

/** The files that are signed, in the alphabetical order of the specification. */
function coveredBy(digests: ReadonlyMap<string, string>): (readonly [string, string])[] {
  return [...digests]
    .filter(([name]) => !IGNORED.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** SHA-256 over the bytes of all digests, in their order. */
function rootOf(digests: readonly string[]): string {
  return sha256Hex(Buffer.from(digests.join(''), 'hex'));
}

/** SHA-256 of the public key in PEM. */
function hintOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key as never) : key;
  return sha256Hex(Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })));
}
