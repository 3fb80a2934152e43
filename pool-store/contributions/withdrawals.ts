import type { Blobs } from '../blobs/blobs.js';
import { CachedBlobs } from '../blobs/cached-blobs.js';
import type { ChangeLog } from '../log/change-log.js';
import type { Contributions } from './contributions.js';

interface Followed {
  readonly log: ChangeLog;
  readonly contributions: Contributions;
  readonly blobs: Blobs;
}

interface Following {
  /** Whether bytes go, or the copies of this process alone. */
  readonly erases: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Told of segments whose contribution was withdrawn, through whichever process. */
type Listener = (segments: readonly string[]) => Promise<void>;

/**
 * Follows the log of a store that several processes serve: copies of what another withdrew go from here too, and what that
 * one could not erase any more, since it was killed, is erased.
 */
export class Withdrawals {
  readonly #listeners: Listener[] = [];
  #seen: number | undefined;

  constructor(private readonly store: Followed) {}

  onWithdrawn(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Where a recovery begins, which erases what was withdrawn before: what comes while it looks at everything is followed. */
  async begin(): Promise<void> {
    this.#seen ??= (await this.store.log.head()).sequence;
  }

  /**
   * Reads on where it ended last or where a recovery began; what was before was erased by that. Throws the reason of `signal` once
   * that is aborted.
   */
  async follow({ erases, signal }: Following): Promise<void> {
    const { log, contributions } = this.store;
    await this.begin();
    for await (const { sequence, action, subject } of log.all(this.#seen)) {
      signal?.throwIfAborted();
      if (action === 'contribution-withdrawn') {
        const segments = await contributions.segmentsOf(subject);
        await this.#erase(
          segments.map(({ digest }) => digest),
          erases,
        );
      }
      this.#seen = sequence;
    }
  }

  async #erase(segments: readonly string[], erases: boolean): Promise<void> {
    const { blobs } = this.store;
    for (const digest of segments) {
      if (erases) await blobs.erase(digest);
      else if (blobs instanceof CachedBlobs) await blobs.forget(digest);
    }
    for (const listener of this.#listeners) await listener(segments);
  }
}
