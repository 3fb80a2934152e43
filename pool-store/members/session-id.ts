import { randomBytes } from 'node:crypto';
import { sha256Hex } from '../../proto/digest.js';

/** A working day: a login is worth nothing after it, and neither is the token that an OpenID login made. */
export const SESSION_MS = 10 * 3_600_000;

/** Names a session in the cookie of whoever logged in; it says nothing of a token, and is none. */
export function newSessionId(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of it: who reads the server's memory or catalog cannot log in by that. */
export function sessionDigest(id: string): string {
  return sha256Hex(id);
}
