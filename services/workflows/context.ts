import type { Progress } from '../../platform/progress.js';

/** What every workflow gets beside its own options. */
export interface Context {
  /** Aborted by Ctrl-C and SIGTERM; a second signal ends the process at once, as the first does before this is read. */
  readonly signal: AbortSignal;
  /** On standard error, so that standard output holds results alone. */
  readonly progress: Progress;
  /** Prints a result: `value` as JSON where `--json` was given, else `lines` for people. */
  result(value: unknown, lines: string | readonly string[]): void;
  /** One line for people on standard error, also where `--json` was given. */
  say(line: string): void;
}
