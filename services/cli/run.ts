import { type Command, CommanderError } from 'commander';
import { diskFailure } from '../../pool-store/disk-failure.js';
import { TacetError } from '../../proto/errors.js';
import { systemFailure } from '../../proto/system-failure.js';

/**
 * Parses and runs one command line. Expected failures end as one line on standard error and the
 * exit status of their code; only an unexpected one shows where it came from.
 */
export async function run(
  createProgram: (argv: readonly string[]) => Promise<Command>,
  argv: readonly string[],
): Promise<number> {
  const program = await createProgram(argv);
  exitByException(program);
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return report(systemFailure(error) ?? diskFailure(error) ?? error);
  }
}

function exitByException(command: Command): void {
  command.exitOverride();
  command.configureOutput({
    outputError: (line, write) => write(line.replace(/^error: /, 'tacet: usage: ')),
  });
  for (const child of command.commands) exitByException(child);
}

/** Takes a terminal's unfinished progress line away. */
const CLEAR_LINE = '\r\x1b[2K';

function report(error: unknown): number {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof TacetError) {
    process.stderr.write(`tacet: ${error.code}: ${error.message}\n`);
    return error.exit;
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`tacet: internal: ${message}\n`);
  return 1;
}
