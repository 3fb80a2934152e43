import type { Command } from 'commander';
import { languageTag } from './bundle-options.js';
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

/** The same for runs of `tacet train`, which may draw copies of the notes by their language. */
export function withRunMaterialOptions(command: Command): Command {
  return withMaterialOptions(command).option(
    '--language <tag>',
    'language of the notes, such as es: for copies by augmentation, and the model card',
    languageTag,
  );
}
