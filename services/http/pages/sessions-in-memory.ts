import { newSessionId, SESSION_MS, sessionDigest } from '../../../pool-store/members/session-id.js';

/** Of all who hold the one token; beyond them the oldest one ends. */
const MOST_SESSIONS = 100;

/** Who has logged in to the pages of a server that is one process; all end with it. */
export class SessionsInMemory {
  /** When each ends, by the digest of its id, the oldest first. */
  readonly #ends = new Map<string, number>();

  /** Returns the id of a new session. */
  begin(): string {
    const [oldest] = this.#ends.keys();
    if (oldest !== undefined && this.#ends.size >= MOST_SESSIONS) this.#ends.delete(oldest);
    const id = newSessionId();
    this.#ends.set(sessionDigest(id), Date.now() + SESSION_MS);
    return id;
  }

  has(id: string): boolean {
    return (this.#ends.get(sessionDigest(id)) ?? 0) > Date.now();
  }

  end(id: string): void {
    this.#ends.delete(sessionDigest(id));
  }
}
