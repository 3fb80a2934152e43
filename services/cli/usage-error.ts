import type { Command, CommanderError } from 'commander';
import { TacetError } from '../../proto/errors.js';

/**
 * What is wrong with a command line, as an error with the code `usage` that says what to do. `failed`
 * is how commander ended `command`.
 */
export function usageError(command: Command, failed: CommanderError): TacetError {
  const message =
    failed.code === 'commander.missingMandatoryOptionValue'
      ? missingOptions(command)
      : failed.message.replace(/^error: /, '');
  const [fault, hint] = message.split(/\n\(|\)$/);
  const advice = hint ?? `See ${pathOf(command)} --help`;
  return new TacetError('usage', `${fault.replace(/\.$/, '')}. ${advice}`);
}

/** All of them at once, where commander names the first. */
function missingOptions(command: Command): string {
  const missing = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
  const flags = missing.map((option) => option.flags).join(', ');
  return `missing required ${missing.length === 1 ? 'option' : 'options'} ${flags}`;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/**
 * Commander looks for required options before it looks for unknown ones, so that a mistyped one is
 * called missing. Parsed again with nothing required, the command throws what it says of an unknown
 * option, if there is one.
 */
export function throwUnknownOption(command: Command): void {
  if (command.parseOptions([...command.args]).unknown.length === 0) return;
  for (const option of command.options) option.mandatory = false;
  command.parse([...command.args], { from: 'user' });
}
