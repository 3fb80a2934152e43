import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import type { Representation } from '../models/networks/representation.js';
import type { TrainingConfig } from '../models/training/config.js';
import type { TextExample } from '../models/training/examples.js';
import {
  inMemory,
  type SupervisedResult,
  type trainOnText,
  trainOnVectors,
} from '../models/training/supervised.js';
import { releaseOnce } from './released-sentences.js';

/** As `trainOnText`, on one release of each sentence, which `file` keeps. */
export function onReleases(representation: Representation) {
  return async (
    { train, validation }: { train: readonly TextExample[]; validation: readonly TextExample[] },
    vocabulary: Vocabulary,
    labels: number,
    { file, ...config }: TrainingConfig & { readonly file: string },
    context: Parameters<typeof trainOnText>[4],
  ): Promise<SupervisedResult> => {
    const examples = [...train, ...validation];
    const all = await releaseOnce(file, examples, representation, vocabulary, context);
    const parts = { train: all.slice(0, train.length), validation: all.slice(train.length) };
    const supply = inMemory(parts, config.batchSentences);
    const { dimension } = representation.config;
    return trainOnVectors(supply, dimension, labels, config, context);
  };
}
