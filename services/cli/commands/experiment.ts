import { Command } from 'commander';
import { experimentMeasureCommand } from './experiment-measure.js';

/** `tacet experiment`: many runs, and what they came to. */
export function experimentCommand(): Command {
  return new Command('experiment')
    .description('train and measure many models')
    .addCommand(experimentMeasureCommand());
}
