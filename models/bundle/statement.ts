/**
 * What a bundle's signature covers: an in-toto statement with one subject a file.
 *
 * Source: https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
 */

import { TacetError } from '../../proto/errors.js';
import { jsonIn } from '../../proto/json-text.js';
import { DIGEST } from '../../proto/schemas.js';
import { Type } from '../../proto/typebox.js';
import { closedObject, constant, type TypeOf } from '../../proto/typed-schema.js';
import { validator } from '../../proto/validator.js';
import { hasDuplicateKeys } from './duplicate-keys.js';

export const STATEMENT_PAYLOAD_TYPE = 'application/vnd.in-toto+json';
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
const PREDICATE_TYPE = 'urn:tacet:bundle:v1';
const SAFE_NAME = '^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$';

const STATEMENT = closedObject({
  _type: constant(STATEMENT_TYPE),
  subject: Type.Array(
    closedObject({
      name: Type.String({ pattern: SAFE_NAME }),
      digest: closedObject({ sha256: DIGEST }),
    }),
    { minItems: 1, maxItems: 64 },
  ),
  predicateType: constant(PREDICATE_TYPE),
  predicate: closedObject({ name: Type.String(), version: Type.String() }),
});

const parseStatement = validator(STATEMENT, 'bundle-invalid', 'the signed statement');

/** The payload to sign; `digests` are SHA-256 in hex by file name. */
export function writeStatement(
  { name, version }: { readonly name: string; readonly version: string },
  digests: ReadonlyMap<string, string>,
): Uint8Array {
  const statement: TypeOf<typeof STATEMENT> = {
    _type: STATEMENT_TYPE,
    subject: [...digests].map(([file, sha256]) => ({ name: file, digest: { sha256 } })),
    predicateType: PREDICATE_TYPE,
    predicate: { name, version },
  };
  return Buffer.from(JSON.stringify(statement));
}

/** The digests of a verified payload, by file name. Throws `bundle-invalid`. */
export function readStatement(payload: Uint8Array): Map<string, string> {
  const text = Buffer.from(payload).toString('utf8');
  const statement = parseStatement(jsonIn(text));
  if (hasDuplicateKeys(text))
    throw new TacetError('bundle-invalid', 'the signed statement: a key is there twice');
  const digests = new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  if (digests.size !== statement.subject.length)
    throw new TacetError('bundle-invalid', 'the signed statement: a file is there twice');
  return digests;
}
