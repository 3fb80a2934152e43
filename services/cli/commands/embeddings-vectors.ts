import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { composedWord } from '../../../models/embeddings/composed-word.js';
import { type Embeddings, rowVector } from '../../../models/embeddings/embeddings.js';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { TacetError } from '../../../proto/errors.js';
import { contextOf, type LineResult } from '../context.js';
import { SOURCE } from './embeddings-convert.js';

/** As many digits as the fastText program prints. */
const SIGNIFICANT_DIGITS = 5;

export function embeddingsVectorsCommand(): Command {
  return new Command('vectors')
    .description('print the vectors of words, one a line, as `fasttext print-word-vectors` does')
    .argument('<source>', SOURCE)
    .argument(
      '[words...]',
      'the words; without them, one a line on standard input, and with --json an answer a line (NDJSON)',
    )
    .option('--fold-case', 'look a word up in lower case too, as models do')
    .action(
      async (source: string, words: string[], options: { foldCase?: true }, command: Command) => {
        const { signal, progress, result, results, say } = contextOf(command);
        if (words.length === 0 && process.stdin.isTTY)
          throw new TacetError('usage', 'name the words, or give them on standard input');
        const embeddings = await openEmbeddings(source, { signal, progress });
        let missing = 0;
        const found = (word: string): LineResult => {
          const vector = vectorOf(embeddings, word, options.foldCase === true);
          if (vector) return { value: { word, vector: [...vector] }, line: line(word, vector) };
          missing++;
          return { value: { word, vector: null } };
        };
        if (words.length > 0) {
          const all = words.map(found);
          result(
            all.map(({ value }) => value),
            all.flatMap((each) => each.line ?? []),
          );
        } else await results(ofEach(createInterface({ input: process.stdin, signal }), found));
        if (missing > 0) say(`${missing} words have no vector`);
      },
    );
}

async function* ofEach(
  words: AsyncIterable<string>,
  found: (word: string) => LineResult,
): AsyncGenerator<LineResult> {
  for await (const word of words) yield found(word);
}

function vectorOf(
  embeddings: Embeddings,
  written: string,
  foldCase: boolean,
): Float32Array | undefined {
  const word = foldCase ? composedWord(written, embeddings) : written;
  const row = embeddings.row(word);
  if (row >= 0 && (foldCase || embeddings.words[row] === word))
    return rowVector(embeddings.matrix, embeddings.dimension, row);
  return embeddings.subwordVector(foldCase ? word.toLowerCase() : word);
}

function line(word: string, vector: Float32Array): string {
  const values = Array.from(vector, (value) => Number(value.toPrecision(SIGNIFICANT_DIGITS)));
  return `${word} ${values.join(' ')}`;
}
