import { Command, InvalidArgumentError } from 'commander';
import { rowVector } from '../../../models/embeddings/embeddings.js';
import { nearestRows } from '../../../models/embeddings/neighbours.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { TacetError } from '../../../proto/errors.js';
import { useBackendOf } from '../backend-option.js';
import { contextOf } from '../context.js';
import { SOURCE } from './embeddings-convert.js';

export function embeddingsNeighboursCommand(): Command {
  return new Command('neighbours')
    .description('print the closest words by cosine, exactly')
    .argument('<source>', SOURCE)
    .argument('<words...>', 'the words, looked up as models do')
    .option('--count <n>', 'how many neighbours a word', positiveInteger, 10)
    .action(
      async (source: string, words: string[], { count }: { count: number }, command: Command) => {
        const { signal, progress, result } = contextOf(command);
        await useBackendOf(command);
        const embeddings = await openEmbeddings(source, { signal, progress });
        const { matrix, dimension } = embeddings;
        const queries = vectorsOf(new Vocabulary(embeddings, { casing: false }), words);
        const found = [];
        for await (const { rows, cosines } of nearestRows(matrix, queries, dimension, count, {
          signal,
        }))
          found.push({
            word: words[found.length] as string,
            neighbours: Array.from(rows, (row, rank) => ({
              word: embeddings.words[row] as string,
              cosine: cosines[rank] as number,
            })),
          });
        result(
          found,
          found.flatMap(({ word, neighbours }) =>
            neighbours.map((one) => `${word}\t${one.word}\t${one.cosine.toFixed(4)}`),
          ),
        );
      },
    );
}

/** [words, E] */
function vectorsOf(vocabulary: Vocabulary, words: readonly string[]): Float32Array {
  const { dimension } = vocabulary;
  const vectors = new Float32Array(words.length * dimension);
  for (const [index, word] of words.entries()) {
    const id = vocabulary.idOf(word);
    if (vocabulary.trained(id) > 0)
      throw new TacetError(
        'not-found',
        `word ${index + 1} of ${words.length} has no vector in these embeddings`,
      );
    vectors.set(rowVector(vocabulary.vectors(), dimension, id), index * dimension);
  }
  return vectors;
}

function positiveInteger(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('expected an integer of 1 or more');
}
