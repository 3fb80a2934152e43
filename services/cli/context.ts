import type { Command } from 'commander';
import type { Progress } from '../../models/progress.js';
import { TacetError } from '../../proto/errors.js';
import { TerminalProgress } from './terminal-progress.js';

/** What every command gets beside its own options. */
export interface Context {
  /** Aborted by Ctrl-C and SIGTERM; a second signal ends the process at once. */
  readonly signal: AbortSignal;
  /** On standard error, so that standard output holds results alone. */
  readonly progress: Progress;
  /** Prints a result: `value` as JSON where `--json` was given, else `lines` for people. */
  result(value: unknown, lines: string | readonly string[]): void;
  /** One line for people on standard error, also where `--json` was given. */
  say(line: string): void;
}

/** The context of a command's action; commander passes the command as the action's last argument. */
export function contextOf(command: Command): Context {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  const progress = new TerminalProgress(process.stderr);
  return {
    signal: interruptSignal(),
    progress: progress.report,
    result: (value, lines) => {
      progress.clear();
      const text = typeof lines === 'string' ? lines : lines.join('\n');
      process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
    },
    say: (line) => {
      progress.clear();
      process.stderr.write(`${line}\n`);
    },
  };
}

function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new TacetError('interrupted', 'stopped by a signal'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  return controller.signal;
}
