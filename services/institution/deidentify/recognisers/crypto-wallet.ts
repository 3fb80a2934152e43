import { createHash } from 'node:crypto';
import { matchesOf, type Recogniser, type Shape } from './recogniser.js';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** A version, a hash of 20 bytes, four bytes of checksum. */
const ADDRESS_BYTES = 25;
/** What the checksum leaves: of version 0 by BIP 173, of later ones by BIP 350. */
const [FIRST_REMAINDER, LATER_REMAINDER] = [1, 0x2bc830a3];
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

const SHAPES: readonly Shape[] = [
  {
    pattern: 'address in base 58',
    expression: /(?<![\p{L}\p{N}])[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![\p{L}\p{N}])/gu,
    score: 1,
    check: hasBase58Checksum,
  },
  {
    pattern: 'address in base 32',
    expression:
      /(?<![\p{L}\p{N}])(?:bc1[02-9ac-hj-np-z]{11,71}|BC1[02-9AC-HJ-NP-Z]{11,71})(?![\p{L}\p{N}])/gu,
    score: 1,
    check: hasBech32Checksum,
  },
];

/** The first four bytes of the SHA-256 of the SHA-256 stand behind the address. */
function hasBase58Checksum(address: string): boolean {
  let value = 0n;
  for (const character of address) value = value * 58n + BigInt(BASE58.indexOf(character));
  const hex = value.toString(16).padStart(2 * ADDRESS_BYTES, '0');
  if (hex.length !== 2 * ADDRESS_BYTES) return false;
  const bytes = Buffer.from(hex, 'hex');
  const hash = (of: Uint8Array) => createHash('sha256').update(of).digest();
  return hash(hash(bytes.subarray(0, -4)))
    .subarray(0, 4)
    .equals(bytes.subarray(-4));
}

/** BIP 173, "Checksum", and BIP 350: a BCH code over the prefix and the data. */
function hasBech32Checksum(address: string): boolean {
  const text = address.toLowerCase();
  const prefix = [...'bc'].map((character) => character.charCodeAt(0));
  const values = [
    ...prefix.map((code) => code >> 5),
    0,
    ...prefix.map((code) => code & 31),
    ...[...text.slice(3)].map((character) => BECH32.indexOf(character)),
  ];
  let remainder = 1;
  for (const value of values) {
    const top = remainder >>> 25;
    remainder = ((remainder & 0x1ffffff) << 5) ^ value;
    for (const [i, term] of GENERATOR.entries()) if ((top >>> i) & 1) remainder ^= term;
  }
  return remainder === (text[3] === BECH32[0] ? FIRST_REMAINDER : LATER_REMAINDER);
}

export const CRYPTO_WALLET: Recogniser = {
  name: 'CryptoRecognizer',
  type: 'CRYPTO',
  context: ['wallet', 'btc', 'bitcoin', 'crypto'],
  find: (text) => matchesOf(text, SHAPES),
};
