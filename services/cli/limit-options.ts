import { type Command, Option } from 'commander';
import { DEFAULT_LIMITS, LIMITS, type Limits } from '../http/limits.js';
import { flagOf } from './serve-settings.js';
import { wholeNumber } from './whole-number.js';

/** What any server of this program limits, whatever it keeps. */
const OF_ANY_SERVER = [
  'requestsPerMinute',
  'requestSeconds',
  'idleSeconds',
  'connections',
] as const;

export type LimitOptions = Partial<Pick<Limits, (typeof OF_ANY_SERVER)[number]>>;

/** A flag for each, as `tacet serve` has it. */
export function withLimitOptions(command: Command): Command {
  for (const name of OF_ANY_SERVER)
    command.addOption(
      new Option(`--${flagOf(name)} <number>`, LIMITS[name].description)
        .argParser(wholeNumber(1))
        .default(LIMITS[name].default),
    );
  return command;
}

export function limitsOf(options: LimitOptions): Limits {
  const named = OF_ANY_SERVER.map((name) => [name, options[name] ?? DEFAULT_LIMITS[name]] as const);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(named) };
}
