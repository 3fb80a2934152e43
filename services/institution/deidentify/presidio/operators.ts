import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { TacetError } from '../../../../proto/errors.js';
import { oneOf, type TypeOf } from '../../../../proto/typed-schema.js';

const OPERATOR_NAMES = ['replace', 'redact', 'keep', 'mask', 'hash', 'encrypt'] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];

export const OPERATOR = Type.Object({
  type: oneOf(OPERATOR_NAMES),
  new_value: Type.Optional(Type.String()),
  masking_char: Type.Optional(Type.String({ minLength: 1, maxLength: 2 })),
  chars_to_mask: Type.Optional(Type.Integer()),
  from_end: Type.Optional(Type.Boolean()),
  hash_type: Type.Optional(oneOf(['sha256', 'sha512'])),
  key: Type.Optional(Type.String()),
});

/** What to do with one type of PHI, as Presidio's clients say it. */
export type Operator = TypeOf<typeof OPERATOR>;

const SALT_BYTES = 16;
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
  replace: (_phi, type, { new_value }) =>
    new_value === undefined || new_value === '' ? `<${type}>` : new_value,
  redact: () => '',
  keep: (phi) => phi,
  mask: (phi, _type, { masking_char = '*', chars_to_mask, from_end = false }) => {
    const characters = [...phi];
    const count = Math.min(Math.max(chars_to_mask ?? characters.length, 0), characters.length);
    const masked = masking_char.repeat(count);
    return from_end
      ? characters.slice(0, characters.length - count).join('') + masked
      : masked + characters.slice(count).join('');
  },
  // Salted, since names and numbers are few enough to be hashed one by one.
  hash: (phi, _type, { hash_type = 'sha256' }) =>
    createHash(hash_type).update(randomBytes(SALT_BYTES)).update(phi).digest('hex'),
  encrypt: (phi, _type, { key = '' }) => {
    const { cipher: name, bytes } = cipherOf(key);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(name, bytes, iv);
    const sealed = Buffer.concat([iv, cipher.update(phi, 'utf8'), cipher.final()]);
    return sealed.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  },
};

/** What `encrypt` made, in clear again. Throws `request-invalid` for another key and for other text. */
export function decrypt(sealed: string, key: string): string {
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

function cipherOf(key: string): { readonly cipher: string; readonly bytes: Buffer } {
  const bytes = Buffer.from(key, 'utf8');
  const cipher = CIPHERS[bytes.length];
  if (cipher === undefined)
    throw new TacetError(
      'request-invalid',
      'Invalid input, key must be of length 128, 192 or 256 bits',
    );
  return { cipher, bytes };
}
