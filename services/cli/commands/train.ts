import { Command } from 'commander';
import type { Objective } from '../../../models/training/statement.js';
import { type Loader, withNamed } from '../command-group.js';

const ofKind =
  (kind: Objective): Loader =>
  async () =>
    (await import('./train-kind.js')).trainKindCommand(kind);

const KINDS: Readonly<Record<Objective, Loader>> = {
  raw: ofKind('raw'),
  pseudonymized: ofKind('pseudonymized'),
  augmented: ofKind('augmented'),
  adversarial: ofKind('adversarial'),
  dann: ofKind('dann'),
  certified: ofKind('certified'),
};

const COMMANDS = {
  ...KINDS,
  pooled: async () => (await import('./train-pooled.js')).trainPooledCommand(),
  describe: async () => (await import('./train-describe.js')).trainDescribeCommand(),
};

/** `tacet train`: a model of one's own, in one of several ways. */
export function trainCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('train').description('train a model, of one of the kinds below');
  return withNamed(group, COMMANDS, words);
}
