import { TacetError } from '../../proto/errors.js';

const DIGEST = /^[0-9a-f]{64}$/;

/** Whether a text can name a blob. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/** Throws `request-invalid` for what is no digest. */
export function requireDigest(digest: string): void {
  if (isDigest(digest)) return;
  throw new TacetError('request-invalid', 'a blob is named by a SHA-256 in lower-case hex');
}

export function noSuchBlob(digest: string): TacetError {
  return new TacetError('not-found', `there is no blob ${digest}`);
}
