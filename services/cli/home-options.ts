import type { Command } from 'commander';
import { defaultHome } from '../../platform/user-folders.js';

/** Which home a command works in. */
export interface HomeOptions {
  readonly home?: string;
}

/** Of the two commands that may make one. */
export interface NewHomeOptions extends HomeOptions {
  readonly newHome?: string;
}

export function withHomeOption(command: Command): Command {
  return command.option(
    '--home <directory>',
    `ledger and outbox of this institution, which must be there (default: ${defaultHome()})`,
  );
}

export function withNewHomeOption(command: Command): Command {
  return withHomeOption(command).option(
    '--new-home <directory>',
    'makes a home there, with a ledger in which nothing counts as released',
  );
}
