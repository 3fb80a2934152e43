import { Option } from 'commander';
import { numberOver } from './number-over.js';

/** `TrainingSettings`, as options. */
export function learningRateOption(description: string): Option {
  return new Option('--learning-rate <x>', description).argParser(numberOver(0));
}

export function lossOption(description: string): Option {
  return new Option('--loss <name>', description).choices(['sum', 'mean']);
}
