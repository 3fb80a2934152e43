import { Command } from 'commander';
import { withNamed } from '../command-group.js';

const COMMANDS = {
  convert: async () => (await import('./embeddings-convert.js')).embeddingsConvertCommand(),
  neighbours: async () =>
    (await import('./embeddings-neighbours.js')).embeddingsNeighboursCommand(),
  oov: async () => (await import('./embeddings-oov.js')).embeddingsOovCommand(),
  vectors: async () => (await import('./embeddings-vectors.js')).embeddingsVectorsCommand(),
};

/** `tacet embeddings`: look into word vectors, and turn one format into another. */
export function embeddingsCommand(words: readonly string[]): Promise<Command> {
  const group = new Command('embeddings').description(
    'convert and inspect pre-trained word vectors',
  );
  return withNamed(group, COMMANDS, words);
}
