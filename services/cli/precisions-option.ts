import { type Command, InvalidArgumentError } from 'commander';

const PRECISIONS = [0.95, 0.98];

/** `--precisions`: those at which recall is compared. */
export function withPrecisions(command: Command): Command {
  return command.option('--precisions <list>', 'to compare recall at', parsePrecisions, PRECISIONS);
}

function parsePrecisions(list: string): number[] {
  return list.split(',').map((each) => {
    const value = Number(each);
    if (value > 0 && value <= 1) return value;
    throw new InvalidArgumentError('expected precisions above 0 and up to 1, by commas');
  });
}
