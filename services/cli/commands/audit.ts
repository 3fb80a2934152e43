import { Command } from 'commander';
import { auditPublishCommand } from './audit-publish.js';
import { auditRunCommand } from './audit-run.js';
import { auditShowCommand } from './audit-show.js';

/** `tacet audit`: what attackers can do to a published representation. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('attack a published representation, publish what was found, read it')
    .addCommand(auditPublishCommand())
    .addCommand(auditRunCommand())
    .addCommand(auditShowCommand());
}
