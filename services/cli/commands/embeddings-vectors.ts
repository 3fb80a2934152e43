import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { type Embeddings, rowVector } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf } from '../context.js';
import { SOURCE } from './embeddings-convert.js';

/** As many digits as the fastText program prints. */
const SIGNIFICANT_DIGITS = 5;

export function embeddingsVectorsCommand(): Command {
  return new Command('vectors')
    .description('print the vectors of words, one a line, as `fasttext print-word-vectors` does')
    .argument('<source>', SOURCE)
    .argument('[words...]', 'the words; without them, one a line on standard input')
    .option('--fold-case', 'look a word up in lower case too, as models do')
    .action(
      async (source: string, words: string[], options: { foldCase?: true }, command: Command) => {
        const { signal, progress, result, say } = contextOf(command);
        if (words.length === 0 && process.stdin.isTTY)
          throw new TacetError('usage', 'name the words, or give them on standard input');
        const embeddings = await openEmbeddings(source, { signal, progress });
        const given = words.length > 0 ? words : createInterface({ input: process.stdin, signal });
        let missing = 0;
        for await (const word of given) {
          const vector = vectorOf(embeddings, word, options.foldCase === true);
          if (vector) result({ word, vector: [...vector] }, line(word, vector));
          else missing++;
          if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain', { signal });
        }
        signal.throwIfAborted();
        if (missing > 0) say(`${missing} words have no vector`);
      },
    );
}

function vectorOf(
  embeddings: Embeddings,
  word: string,
  foldCase: boolean,
): Float32Array | undefined {
  const row = embeddings.row(word);
  if (row >= 0 && (foldCase || embeddings.words[row] === word))
    return rowVector(embeddings.matrix, embeddings.dimension, row);
  return embeddings.subwordVector(foldCase ? word.toLowerCase() : word);
}

function line(word: string, vector: Float32Array): string {
  const values = Array.from(vector, (value) => Number(value.toPrecision(SIGNIFICANT_DIGITS)));
  return `${word} ${values.join(' ')}`;
}
