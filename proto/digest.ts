import { createHash, hash as hashOf } from 'node:crypto';

/** SHA-256 of the parts, one behind the other. */
export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const [only] = parts;
  // Of few bytes in half the time.
  if (only !== undefined && parts.length === 1) return hashOf('sha256', only, 'buffer');
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The same in hexadecimal, as digests are written. */
export function sha256Hex(...parts: readonly (string | Uint8Array)[]): string {
  const [only] = parts;
  // Without the digest in between.
  if (only !== undefined && parts.length === 1) return hashOf('sha256', only, 'hex');
  return sha256(...parts).toString('hex');
}
