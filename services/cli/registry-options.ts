import type { Command } from 'commander';
import { type TokenOptions, withTokenOptions } from './credentials.js';

export interface RegistryOptions extends TokenOptions {
  readonly registry: string;
}

/** Adds `--registry` and the options of a token. */
export function withRegistry(command: Command): Command {
  return withTokenOptions(command.requiredOption('--registry <url>', 'address of the registry'));
}
