import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const COMMANDS = {
  run: async () => (await import('./experiment-run.js')).experimentRunCommand(),
  measure: async () => (await import('./experiment-measure.js')).experimentMeasureCommand(),
  controls: async () => (await import('./experiment-controls.js')).experimentControlsCommand(),
  ways: async () => (await import('./experiment-ways.js')).experimentWaysCommand(),
  federated: async () => (await import('./experiment-federated.js')).experimentFederatedCommand(),
  sharing: async () => (await import('./experiment-sharing.js')).experimentSharingCommand(),
  updates: async () => (await import('./experiment-updates.js')).experimentUpdatesCommand(),
  inventories: async () =>
    (await import('./experiment-inventories.js')).experimentInventoriesCommand(),
  matrix: async () => (await import('./experiment-matrix.js')).experimentMatrixCommand(),
  missed: async () => (await import('./experiment-missed.js')).experimentMissedCommand(),
  thresholds: async () =>
    (await import('./experiment-thresholds.js')).experimentThresholdsCommand(),
  'operating-points': async () =>
    (await import('./experiment-operating-points.js')).experimentOperatingPointsCommand(),
  noise: async () => (await import('./experiment-noise.js')).experimentNoiseCommand(),
  patterns: async () => (await import('./experiment-patterns.js')).experimentPatternsCommand(),
  phicon: async () => (await import('./experiment-phicon.js')).experimentPhiconCommand(),
  freeze: async () => (await import('./experiment-freeze.js')).experimentFreezeCommand(),
};

/** `tacet experiment`: many runs, and what they came to. */
export function experimentCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('experiment').description('train and measure many models');
  return withNamed(group, COMMANDS, words, 'run');
}
