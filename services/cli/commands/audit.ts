import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const COMMANDS = {
  compare: async () => (await import('./audit-compare.js')).auditCompareCommand(),
  publish: async () => (await import('./audit-publish.js')).auditPublishCommand(),
  run: async () => (await import('./audit-run.js')).auditRunCommand(),
  show: async () => (await import('./audit-show.js')).auditShowCommand(),
};

/** `tacet audit`: what attackers can do to a published representation. */
export function auditCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('audit').description(
    'attack a published representation, publish what was found, read it, compare it',
  );
  return withNamed(group, COMMANDS, words);
}
