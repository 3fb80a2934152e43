import { Command } from 'commander';
import { convertedPath, openEmbeddings } from '../../../models/embeddings/open.js';
import { contextOf } from '../context.js';

/** What every embeddings command takes first. */
export const SOURCE = 'a .vec, GloVe .txt or fastText .bin file, or wink for English GloVe';

export function embeddingsConvertCommand(): Command {
  return new Command('convert')
    .description('convert word vectors into the cache, so that they load at once')
    .argument('<source>', SOURCE)
    .action(async (source: string, _options: unknown, command: Command) => {
      const { signal, progress, result } = contextOf(command);
      const { identity, words, dimension, hasSubwords } = await openEmbeddings(source, {
        signal,
        progress,
      });
      const file = convertedPath(identity);
      result({ identity, words: words.length, dimension, subwords: hasSubwords, file }, [
        `${words.length} words x ${dimension}${hasSubwords ? ', with subwords' : ''}`,
        `identity ${identity}`,
        `converted ${file}`,
      ]);
    });
}
