import { type Command, CommanderError } from 'commander';
import { failurePlaces } from '../../platform/failure-places.js';
import { systemFailure } from '../../platform/system-failure.js';
import { diskFailure } from '../../pool-store/catalog/disk-failure.js';
import { ERRORS, TacetError } from '../../proto/errors.js';
import { interruptionOf } from './context.js';
import { terminalJson, terminalText } from './terminal-text.js';
import { throwUnknownOption, usageError } from './usage-error.js';

/**
 * Parses and runs one command line. Expected failures end as one line on standard error, JSON where
 * `--json` was given, and the exit status of their code; only an unexpected one shows where in the program it came
 * from, and not its message, which could hold text of a note.
 */
export async function run(
  createProgram: (argv: readonly string[]) => Promise<Command>,
  argv: readonly string[],
): Promise<number> {
  const json = argv.includes('--json');
  try {
    const program = await createProgram(argv);
    prepare(program, json);
    await program.parseAsync([...argv]).catch((error: unknown) => {
      throw interruptionOf(program, error) ?? error;
    });
    return 0;
  } catch (error) {
    return isOfLeaver(error) ? 0 : report(error, json);
  }
}

/** Failures to write to a reader that had enough. */
const ofLeavers = new WeakSet<object>();

function isOfLeaver(error: unknown): boolean {
  return typeof error === 'object' && error !== null && ofLeavers.has(error);
}

/**
 * Ends the process where what it says cannot be written, as on a full disk; a command whose reader has enough of it, as
 * `head`, goes on, or ends well where it would wait for that reader.
 */
export function endUnlessHeard(stdout: NodeJS.WriteStream, argv: readonly string[]): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      ofLeavers.add(error);
      return;
    }
    process.exit(report(error, argv.includes('--json')));
  });
}

/** Ends the process as `run` does where a failure comes that no code waits for. */
export function endOnFailure(program: NodeJS.Process): void {
  program.on('uncaughtException', (error) => {
    program.exit(report(error, program.argv.includes('--json')));
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
  const failure =
    error instanceof CommanderError
      ? NO_COMMAND
      : (systemFailure(error) ?? diskFailure(error) ?? error);
  process.stderr.write(`${json ? jsonOf(failure) : textOf(failure)}\n`);
  return failure instanceof TacetError ? failure.exit : ERRORS.internal.exit;
}

function textOf(error: unknown): string {
  if (error instanceof TacetError) return terminalText(`tacet: ${error.code}: ${error.message}`);
  const places = failurePlaces(error).map((place) => `\n    ${place}`);
  return terminalText(`tacet: internal: ${unexpected(error)}${places.join('')}`);
}

/** `{"error": {"code", "title", "message", "exit"}}`, with `places` where the error was not expected. */
function jsonOf(error: unknown): string {
  const expected = error instanceof TacetError;
  const code = expected ? error.code : 'internal';
  const { title, exit } = ERRORS[code];
  const message = expected ? error.message : unexpected(error);
  const places = !expected && { places: failurePlaces(error) };
  return terminalJson({ error: { code, title, message, exit, ...places } });
}

function unexpected(error: unknown): string {
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  return `the program failed (${kind}). Its message is left out, since it could hold text of a note; please report where it failed`;
}
