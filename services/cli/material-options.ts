import type { Command } from 'commander';
import { wholeNumber } from './whole-number.js';

/** Where training notes, held-out notes, word vectors and labels are, as options. */
export function withMaterialOptions(command: Command): Command {
  return command
    .requiredOption('--corpus <path>', 'the labelled notes that are trained on')
    .requiredOption('--held-out <path>', 'labelled notes that nothing is trained on or chosen by')
    .requiredOption('--embeddings <file>', 'word vectors (.vec, .bin, GloVe text), or wink')
    .requiredOption('--scheme <name>', 'label scheme, by name or file')
    .option('--documents <n>', 'measure on the first so many held-out notes', wholeNumber(1));
}
