import { Command } from 'commander';
import { corpusCheckCommand } from './corpus-check.js';
import { corpusConvertCommand } from './corpus-convert.js';
import { corpusGenerateCommand } from './corpus-generate.js';
import { corpusStatsCommand } from './corpus-stats.js';

/** `tacet corpus`: look at annotated documents, and turn one format into another. */
export function corpusCommand(): Command {
  return new Command('corpus')
    .description('check, measure, convert and make annotated documents')
    .addCommand(corpusCheckCommand())
    .addCommand(corpusConvertCommand())
    .addCommand(corpusGenerateCommand())
    .addCommand(corpusStatsCommand());
}
