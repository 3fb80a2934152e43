import { Command } from 'commander';
import { auditCompareCommand } from './audit-compare.js';
import { auditPublishCommand } from './audit-publish.js';
import { auditRunCommand } from './audit-run.js';
import { auditShowCommand } from './audit-show.js';

/** `tacet audit`: what attackers can do to a published representation. */
export function auditCommand(): Command {
  return new Command('audit')
    .description('attack a published representation, publish what was found, read it, compare it')
    .addCommand(auditCompareCommand())
    .addCommand(auditPublishCommand())
    .addCommand(auditRunCommand())
    .addCommand(auditShowCommand());
}
