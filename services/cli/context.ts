import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { TacetError } from '../../proto/errors.js';
import type { Context } from '../workflows/context.js';
import { TerminalProgress } from './terminal-progress.js';
import { terminalJson, terminalLine, terminalText } from './terminal-text.js';

/** A result that is one of many; people are told nothing where it has no line. */
export interface LineResult {
  readonly value: unknown;
  readonly line?: string | undefined;
}

export interface CommandContext extends Context {
  /** Prints results as they come and no faster than they are read, a line each: NDJSON where `--json` was given. */
  results(each: AsyncIterable<LineResult>): Promise<void>;
}

/**
 * The context of a command's action; commander passes the command as the action's last argument. Signals of the system are
 * caught once the action asks for its own: one that does not ends by them at once.
 */
export function contextOf(command: Command): CommandContext {
  const { json } = command.optsWithGlobals<{ json?: boolean }>();
  const progress = new TerminalProgress(process.stderr);
  return {
    get signal() {
      return interruptSignal(command);
    },
    progress: progress.report,
    result: (value, lines) => {
      progress.clear();
      if (!json && lines.length === 0) return;
      const text = typeof lines === 'string' ? lines : lines.join('\n');
      process.stdout.write(`${json ? terminalJson(value) : terminalText(text)}\n`);
    },
    results: async (each) => {
      progress.clear();
      const printed = { signal: interruptSignal(command), end: false };
      await pipeline(textsOf(each, json === true), process.stdout, printed);
    },
    say: (line) => {
      progress.clear();
      process.stderr.write(`${terminalLine(line)}\n`);
    },
  };
}

async function* textsOf(each: AsyncIterable<LineResult>, json: boolean): AsyncGenerator<string> {
  for await (const { value, line } of each) {
    if (json) yield `${terminalJson(value)}\n`;
    else if (line !== undefined) yield `${terminalText(line)}\n`;
  }
}

/** By program, which all commands of a command line share. */
const signals = new WeakMap<Command, AbortSignal>();

function interruptSignal(command: Command): AbortSignal {
  const program = programOf(command);
  const caught = signals.get(program);
  if (caught) return caught;
  const controller = new AbortController();
  const interrupt = () => controller.abort(new TacetError('interrupted', 'stopped by a signal'));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  signals.set(program, controller.signal);
  return controller.signal;
}

/** Why a program was to stop, where an error says no more than that it did; else undefined. */
export function interruptionOf(program: Command, error: unknown): unknown {
  const signal = signals.get(program);
  return signal?.aborted && error instanceof Error && error.name === 'AbortError'
    ? signal.reason
    : undefined;
}

function programOf(command: Command): Command {
  return command.parent ? programOf(command.parent) : command;
}
