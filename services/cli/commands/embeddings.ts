import { Command } from 'commander';
import { embeddingsConvertCommand } from './embeddings-convert.js';
import { embeddingsNeighboursCommand } from './embeddings-neighbours.js';
import { embeddingsOovCommand } from './embeddings-oov.js';
import { embeddingsVectorsCommand } from './embeddings-vectors.js';

export function embeddingsCommand(): Command {
  return new Command('embeddings')
    .description('convert and inspect pre-trained word vectors')
    .addCommand(embeddingsConvertCommand())
    .addCommand(embeddingsNeighboursCommand())
    .addCommand(embeddingsOovCommand())
    .addCommand(embeddingsVectorsCommand());
}
