import type { Command } from 'commander';
import { TacetError } from '../../proto/errors.js';
import type { Context } from '../workflows/context.js';
import { TerminalProgress } from './terminal-progress.js';
import { terminalJson, terminalLine, terminalText } from './terminal-text.js';

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
      process.stdout.write(`${json ? terminalJson(value) : terminalText(text)}\n`);
    },
    say: (line) => {
      progress.clear();
      process.stderr.write(`${terminalLine(line)}\n`);
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
