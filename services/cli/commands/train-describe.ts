import { Command } from 'commander';
import { TRAINING_DEFAULTS } from '../../../models/training/configuration/config.js';
import {
  type ConfigurationKey,
  configurationKeys,
} from '../../../models/training/configuration/config-schema.js';
import { configurationNames } from '../../../models/training/configuration/configurations.js';
import { contextOf } from '../context.js';

/** `tacet train describe`: what a configuration may hold. */
export function trainDescribeCommand(): Command {
  return new Command('describe')
    .description('list the keys of a training configuration, and the configurations there are')
    .action((_options: unknown, command: Command) => {
      const keys = configurationKeys(TRAINING_DEFAULTS);
      const configurations = configurationNames();
      contextOf(command).result({ keys, configurations }, [
        ...keyTable(keys),
        '',
        `Configurations, by name for --config: ${configurations.join(', ')}`,
      ]);
    });
}

/** A Markdown table, which docs/training-configuration.md holds as well. */
export function keyTable(keys: readonly ConfigurationKey[]): string[] {
  const rows = keys.map(({ key, usual, description, source }) => [
    `\`${key}\``,
    usual,
    description.replaceAll('|', '\\|'),
    source,
  ]);
  const all = [['key', 'default', 'what it does', 'source of the default'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [head, ...body] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)];
}
