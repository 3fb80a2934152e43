import type { Progress } from '../../platform/progress.js';

/** What every workflow gets beside its own options. */
export interface Context {
  /**
   * Aborted by the first Ctrl-C or SIGTERM once it has been read; the next one ends the process at once. A workflow that has
   * not read it ends at once by the first.
   */
  readonly signal: AbortSignal;
  /** On standard error, so that standard output holds results alone. */
  readonly progress: Progress;
  /** Prints a result: `value` as JSON where `--json` was given, else `lines` for people, nothing where there are none. */
  result(value: unknown, lines: string | readonly string[]): void;
  /** One line for people on standard error, also where `--json` was given. */
  say(line: string): void;
}
