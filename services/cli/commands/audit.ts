import { Command } from 'commander';
import { auditRunCommand } from './audit-run.js';

/** `tacet audit`: what attackers can do to a published representation. */
export function auditCommand(): Command {
  const command = new Command('audit').description('attack a published representation');
  return command.addCommand(auditRunCommand());
}
