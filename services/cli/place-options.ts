import type { Command } from 'commander';
import { readConfig } from '../workflows/train/training-config.js';
import { namedBy } from './named-values.js';
import { seedList } from './seed-list.js';
import { parseShare } from './share.js';

export interface PlaceOptions {
  readonly provider?: string;
  readonly site: readonly string[];
  readonly heldOut?: readonly string[];
  readonly heldOutShare: number;
  readonly unseen?: readonly string[];
  readonly representation?: readonly string[];
  readonly embeddings: string;
  readonly scheme: string;
  readonly config?: string;
  readonly seeds: readonly number[];
  readonly out: string;
}

/** A quarter of the documents of each place. */
const HELD_OUT_SHARE = 0.25;

/** Options of what compares places: whose notes there are, what is measured on, by which seeds. */
export function withPlaceOptions(command: Command): Command {
  return command
    .option('--provider <name=path>', 'labelled notes that are public')
    .requiredOption('--site <name=path...>', 'labelled notes of each place that shares')
    .option('--held-out <name=path...>', 'notes of a place that are measured on')
    .option(
      '--held-out-share <share>',
      'of the documents of the other places, chosen by the seed',
      parseShare,
      HELD_OUT_SHARE,
    )
    .option('--unseen <name=path...>', 'notes of places that nobody trains on, measured as well')
    .option(
      '--representation <name=dir...>',
      'frozen representations, or folders of a bundle and its publisher.pem',
    )
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .option('--config <file>', 'training configuration, a file or a name')
    .option('--seeds <list>', 'which ones, by commas', seedList, [1])
    .requiredOption('--out <dir>', 'a file for each row and seed; what is there is not done again');
}

/** The places and the configuration that they name. Throws `usage`, and as `readConfig`. */
export async function placesOf({
  provider,
  site,
  heldOut = [],
  unseen = [],
  representation = [],
  config,
}: PlaceOptions) {
  return {
    provider: namedBy('--provider', provider === undefined ? [] : [provider]),
    sites: namedBy('--site', site),
    heldOut: namedBy('--held-out', heldOut),
    unseen: namedBy('--unseen', unseen),
    representations: namedBy('--representation', representation),
    config: await readConfig(config),
  };
}
