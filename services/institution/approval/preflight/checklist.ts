import { type ErrorCode, TacetError } from '../../../../proto/errors.js';

/** One thing that encoding and contributing need. */
export interface Check {
  readonly name: string;
  /** Null where it was not looked at, since nothing asked for it or an earlier check failed. */
  readonly passed: boolean | null;
  readonly finding: string;
  /** What to do; empty where it passed. */
  readonly advice: string;
}

/** What to do, by what went wrong. */
export type Advice = { readonly otherwise: string } & Partial<Readonly<Record<ErrorCode, string>>>;

/** What a check found: in words, and for later checks. */
export interface Finding<T = undefined> {
  readonly text: string;
  readonly value: T;
}

/** Something that an earlier check was to find out is not known. */
export class NotLookedAt extends Error {}

/** What an earlier check found. Throws `NotLookedAt` with `whyNot` where it found nothing. */
export function requireFound<T>(value: T | undefined, whyNot: string): T {
  if (value !== undefined) return value;
  throw new NotLookedAt(whyNot);
}

/** Checks one after another, each of which may fail without ending the others. */
export class Checklist {
  readonly #checks: Check[] = [];

  constructor(private readonly signal?: AbortSignal) {}

  get checks(): readonly Check[] {
    return this.#checks;
  }

  get hasFailed(): boolean {
    return this.#checks.some(({ passed }) => passed === false);
  }

  /**
   * What `look` finds, undefined where it fails or is not looked at. Throws what is no `TacetError`, and
   * where the signal was aborted its reason.
   */
  async check<T>(
    name: string,
    advice: Advice,
    look: () => Promise<Finding<T>>,
  ): Promise<T | undefined> {
    this.signal?.throwIfAborted();
    try {
      const { text, value } = await look();
      this.#checks.push({ name, passed: true, finding: text, advice: '' });
      return value;
    } catch (error) {
      this.#checks.push(failedCheck(name, advice, error));
      return undefined;
    }
  }

  /** The same where later checks want the words alone. */
  async checkAlone(name: string, advice: Advice, look: () => Promise<string>): Promise<void> {
    await this.check(name, advice, async () => ({ text: await look(), value: undefined }));
  }

  /** Notes a check that nothing asked for. */
  leaveOut(name: string): void {
    this.#checks.push({ name, passed: null, finding: 'not asked for', advice: '' });
  }
}

function failedCheck(name: string, advice: Advice, error: unknown): Check {
  if (error instanceof NotLookedAt)
    return { name, passed: null, finding: `not looked at: ${error.message}`, advice: '' };
  if (!(error instanceof TacetError)) throw error;
  const { code, message } = error;
  const finding = `${code}: ${message}`;
  return { name, passed: false, finding, advice: advice[code] ?? advice.otherwise };
}

/** For every check that asks a server. */
export const SERVER_ADVICE = {
  'server-unreachable': 'check the address and the network; ask its operator whether it runs',
  'server-failed': 'check that the address is that of a Tacet server; ask its operator',
  unauthorized: 'give a token that has neither expired nor been revoked; ask for a new one',
};
