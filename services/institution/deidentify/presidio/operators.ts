import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { TacetError } from '../../../../proto/errors.js';
import { Type } from '../../../../proto/typebox.js';
import type { TypeOf } from '../../../../proto/typed-schema.js';
import { refusal, repeated, requireParameter, requireType } from './operator-parameters.js';

const OPERATOR_NAMES = ['replace', 'redact', 'keep', 'mask', 'hash', 'encrypt'] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** Parameters are checked where an operator is used, as in Presidio, which passes over those of no use. */
export const OPERATOR = Type.Object({
  type: Type.String({ minLength: 1 }),
  new_value: Type.Optional(Type.Unknown()),
  masking_char: Type.Optional(Type.Unknown()),
  chars_to_mask: Type.Optional(Type.Unknown()),
  from_end: Type.Optional(Type.Unknown()),
  hash_type: Type.Optional(Type.Unknown()),
  /** Of at least 16 bytes; equal texts then have equal hashes. */
  salt: Type.Optional(Type.Unknown()),
  key: Type.Optional(Type.Unknown()),
});

/** What to do with one type of PHI, as Presidio's clients say it. */
export type Operator = TypeOf<typeof OPERATOR>;

const LEAST_SALT_BYTES = 16;
const RANDOM_SALT_BYTES = 32;
const HASHES = ['sha256', 'sha512'];
const IV_BYTES = 16;
const CIPHERS: Readonly<Record<number, string>> = {
  16: 'aes-128-cbc',
  24: 'aes-192-cbc',
  32: 'aes-256-cbc',
};

/** Presidio's built-in operators. */
export const OPERATORS: Readonly<
  Record<OperatorName, (phi: string, type: string, operator: Operator) => string>
> = {
  replace: (_phi, type, { new_value }) => {
    requireType(new_value, 'new_value', 'string');
    return (new_value as string | undefined) || `<${type}>`;
  },
  redact: () => '',
  keep: (phi) => phi,
  mask: (phi, _type, { masking_char, chars_to_mask, from_end }) => {
    requireParameter(masking_char, 'masking_char', 'string');
    if ([...(masking_char as string)].length > 1)
      throw refusal('Invalid input, masking_char must be a character');
    requireParameter(chars_to_mask, 'chars_to_mask', 'number');
    requireParameter(from_end, 'from_end', 'boolean');
    const characters = [...phi];
    const count = Math.min(Math.max(chars_to_mask as number, 0), characters.length);
    const masked = (masking_char as string).repeat(count);
    return from_end
      ? characters.slice(0, characters.length - count).join('') + masked
      : masked + characters.slice(count).join('');
  },
  // Salted, since names and numbers are few enough to be hashed one by one.
  hash: (phi, _type, { hash_type = 'sha256', salt }) => {
    if (!HASHES.includes(hash_type as string))
      throw refusal(
        `Parameter hash_type value ${repeated(hash_type)} is not in range of values ['sha256', 'sha512']`,
      );
    return createHash(hash_type as string)
      .update(phi)
      .update(saltOf(salt))
      .digest('hex');
  },
  encrypt: (phi, _type, { key }) => {
    const { cipher: name, bytes } = cipherOf(key);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(name, bytes, iv);
    const sealed = Buffer.concat([iv, cipher.update(phi, 'utf8'), cipher.final()]);
    return sealed.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  },
};

/** The operator of a name. Throws `request-invalid`, with Presidio's words, for one that there is not. */
export function operatorNamed(name: string) {
  if (isOperatorName(name)) return OPERATORS[name];
  throw refusal(`Invalid operator class '${repeated(name)}'.`);
}

function isOperatorName(name: string): name is OperatorName {
  return (OPERATOR_NAMES as readonly string[]).includes(name);
}

function saltOf(salt: unknown): Buffer {
  if (salt === undefined) return randomBytes(RANDOM_SALT_BYTES);
  requireType(salt, 'salt', 'string');
  const bytes = Buffer.from((salt as string | null) ?? '', 'utf8');
  if (bytes.length === 0)
    throw refusal(
      'Salt parameter cannot be empty. Either omit the salt parameter to auto-generate a random salt, or ' +
        'provide a salt of at least 16 bytes (128 bits).',
    );
  if (bytes.length < LEAST_SALT_BYTES)
    throw refusal(
      `Salt must be at least 16 bytes (128 bits). Provided salt is ${bytes.length} bytes.`,
    );
  return bytes;
}

/** What `encrypt` made, in clear again. Throws `request-invalid` for another key and for other text. */
export function decrypt(sealed: string, key: unknown): string {
  const { cipher: name, bytes } = cipherOf(key);
  const all = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(name, bytes, all.subarray(0, IV_BYTES));
    const clear = Buffer.concat([decipher.update(all.subarray(IV_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(clear);
  } catch {
    throw new TacetError(
      'request-invalid',
      'Invalid input, the text was not encrypted with this key, or not encrypted at all',
    );
  }
}

function cipherOf(key: unknown): { readonly cipher: string; readonly bytes: Buffer } {
  requireParameter(key, 'key', 'string');
  const bytes = Buffer.from(key as string, 'utf8');
  const cipher = CIPHERS[bytes.length];
  if (cipher === undefined)
    throw new TacetError(
      'request-invalid',
      'Invalid input, key must be of length 128, 192 or 256 bits',
    );
  return { cipher, bytes };
}
