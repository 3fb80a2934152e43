import { type Command, CommanderError } from 'commander';
import { systemFailure } from '../../platform/system-failure.js';
import { diskFailure } from '../../pool-store/disk-failure.js';
import { ERRORS, TacetError } from '../../proto/errors.js';
import { terminalJson, terminalText } from './terminal-text.js';
import { throwUnknownOption, usageError } from './usage-error.js';

/**
 * Parses and runs one command line. Expected failures end as one line on standard error, JSON where
 * `--json` was given, and the exit status of their code; only an unexpected one shows where it came
 * from.
 */
export async function run(
  createProgram: (argv: readonly string[]) => Promise<Command>,
  argv: readonly string[],
): Promise<number> {
  const json = argv.includes('--json');
  try {
    const program = await createProgram(argv);
    prepare(program, json);
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    return report(systemFailure(error) ?? diskFailure(error) ?? error, json);
  }
}

/**
 * Ends the process where what it says cannot be written, as on a full disk; a command whose reader has enough of it, as
 * `head`, goes on.
 */
export function endUnlessHeard(stdout: NodeJS.WriteStream, argv: readonly string[]): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.exit(report(systemFailure(error) ?? error, argv.includes('--json')));
  });
}

/** Faults are thrown and told once, here; help that nobody asked for is no JSON. */
function prepare(command: Command, json: boolean): void {
  command.exitOverride((ended) => {
    if (ended.exitCode === 0 || ended.code === 'commander.help') throw ended;
    if (ended.code === 'commander.missingMandatoryOptionValue') throwUnknownOption(command);
    throw usageError(command, ended);
  });
  command.configureOutput({
    outputError: () => {},
    ...(json && { writeErr: () => {} }),
  });
  command.configureHelp({ showGlobalOptions: command.parent !== null });
  for (const child of command.commands) prepare(child, json);
}

/** Takes a terminal's unfinished progress line away. */
const CLEAR_LINE = '\r\x1b[2K';

const NO_COMMAND = new TacetError('usage', 'expected a command. See tacet --help');

function report(error: unknown, json: boolean): number {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE);
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError && !json) return NO_COMMAND.exit;
  const failure = error instanceof CommanderError ? NO_COMMAND : error;
  process.stderr.write(`${json ? jsonOf(failure) : textOf(failure)}\n`);
  return failure instanceof TacetError ? failure.exit : ERRORS.internal.exit;
}

function textOf(error: unknown): string {
  if (error instanceof TacetError) return terminalText(`tacet: ${error.code}: ${error.message}`);
  return terminalText(
    `tacet: internal: ${(error instanceof Error && error.stack) || String(error)}`,
  );
}

/** `{"error": {"code", "title", "message", "exit"}}`, with a `stack` where the error was not expected. */
function jsonOf(error: unknown): string {
  const code = error instanceof TacetError ? error.code : 'internal';
  const { title, exit } = ERRORS[code];
  const message = error instanceof Error ? error.message : String(error);
  const stack = !(error instanceof TacetError) && error instanceof Error && { stack: error.stack };
  return terminalJson({ error: { code, title, message, exit, ...stack } });
}
