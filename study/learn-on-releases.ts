import type { Vocabulary } from '../models/embeddings/vocabulary.js';
import type { Representation } from '../models/networks/representation.js';
import type { TrainingConfig } from '../models/training/config.js';
import type { TextExample, VectorExample } from '../models/training/examples.js';
import {
  inMemory,
  type SupervisedResult,
  type trainOnText,
  trainOnVectors,
} from '../models/training/supervised.js';
import { mapTurns } from '../models/training/turns.js';
import { releaseOnce } from './released-sentences.js';

/** As `trainOnText`, on one release of each example, copies included, which `file` keeps. */
export function onReleases(representation: Representation) {
  return async (
    { train, validation, turns }: Parameters<typeof trainOnText>[0],
    vocabulary: Vocabulary,
    labels: number,
    { file, ...config }: TrainingConfig & { readonly file: string },
    context: Parameters<typeof trainOnText>[4],
  ): Promise<SupervisedResult> => {
    const examples = [...train, ...validation];
    const all = await releaseOnce(file, examples, representation, vocabulary, context);
    const of = new Map(examples.map((example, i) => [example, all[i] as VectorExample]));
    const released = (part: readonly TextExample[]) =>
      part.map((example) => of.get(example) as VectorExample);
    const parts = {
      ...{ train: released(train), validation: released(validation) },
      turns: turns && mapTurns(turns, released),
    };
    const supply = inMemory(parts, config.batchSentences);
    const { dimension } = representation.config;
    return trainOnVectors(supply, dimension, labels, config, context);
  };
}
