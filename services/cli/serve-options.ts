import { type Command, Option } from 'commander';
import { flagOf, SERVE_SETTINGS, variableOf } from './serve-settings.js';
import { wholeNumber } from './whole-number.js';

/** Adds a flag for each setting; none has a default here, so that file and environment can speak. */
export function withServeOptions(command: Command): Command {
  command.option('--config <file>', 'JSON file of settings (env: TACET_SERVE_CONFIG)');
  for (const [name, setting] of Object.entries(SERVE_SETTINGS)) {
    const value = setting.type === 'switch' ? '' : ` <${setting.type}>`;
    const isShown = setting.type !== 'switch' && setting.default !== undefined;
    const text = !isShown ? '' : `, by default ${setting.default}`;
    const description = `${setting.description}${text} (env: ${variableOf(name)})`;
    const option = new Option(`--${flagOf(name)}${value}`, description);
    if (setting.choices) option.choices(setting.choices);
    if (setting.type === 'number') option.argParser(wholeNumber(setting.least ?? 0, setting.most));
    command.addOption(option);
  }
  return command;
}
