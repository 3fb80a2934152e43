import { TacetError } from '../../proto/errors.js';

/** A lease is prolonged so often in its length. */
const PROLONGED = 6;

export interface ProlongedOptions {
  readonly milliseconds: number;
  /** Asks the catalog; returns whether the holder has the lease still. */
  readonly prolong: () => Promise<boolean>;
  /** Called once where the lease is lost, with why. */
  readonly onLost: (reason: unknown) => void;
  /**
   * When the lease was asked for, by `performance.now`, where it also counts as lost once the catalog could not be asked for
   * about as long as it lasts; undefined where a catalog that is away says nothing.
   */
  readonly since?: number | undefined;
}

/** Prolongs a lease that was taken, one time after another, until it is stopped or the lease is lost. */
export class ProlongedLease {
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #prolonging: Promise<void> | undefined;
  #ends: number;

  constructor(private readonly options: ProlongedOptions) {
    const { milliseconds, since = Number.POSITIVE_INFINITY } = options;
    this.#ends = since + milliseconds;
    this.#interval = milliseconds / PROLONGED;
    this.#timer = setInterval(() => this.#tick(), this.#interval).unref();
  }

  /** Whether it was neither stopped nor lost. */
  get isKept(): boolean {
    return this.#timer !== undefined;
  }

  /** When this returns nothing prolongs the lease any more: who lets go of it next must not have it again. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#prolonging;
  }

  #tick(): void {
    // Told before another can have it, rather than after.
    if (performance.now() + this.#interval > this.#ends) this.#lose(lapsed());
    else
      this.#prolonging ??= this.#prolong().finally(() => {
        this.#prolonging = undefined;
      });
  }

  async #prolong(): Promise<void> {
    const { prolong, milliseconds, since } = this.options;
    const asked = performance.now();
    try {
      if (!(await prolong())) this.#lose(taken());
      else if (since !== undefined) this.#ends = asked + milliseconds;
    } catch (error) {
      // While the catalog is away it is tried again; what a newer program has changed stays so.
      if (error instanceof TacetError && error.code === 'store-version') this.#lose(error);
    }
  }

  #lose(reason: unknown): void {
    if (!this.isKept) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.options.onLost(reason);
  }
}

function taken(): Error {
  return new Error('another process took the lease, since this one was held up');
}

function lapsed(): Error {
  return new Error('the lease could not be prolonged for about as long as it lasts');
}
