import type { Piece } from '../../models/certification/common-pieces.js';
import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { Representation } from '../../models/networks/representation.js';
import type { TrainingConfig } from '../../models/training/configuration/config.js';
import type { TextExample, VectorExample } from '../../models/training/data/examples.js';
import { joinedBuckets } from '../../models/training/data/joined-pieces.js';
import { mapTurns } from '../../models/training/data/turns.js';
import {
  inMemory,
  type SupervisedResult,
  type trainOnText,
  trainOnVectors,
} from '../../models/training/supervised.js';
import { releaseOnce } from './released-sentences.js';

/** What leaves of an example; all of it, unless it is cut. */
export type PiecesOf = (example: TextExample) => readonly Piece[];

export const uncut: PiecesOf = ({ ids: { length } }) => [{ start: 0, end: length }];

/**
 * As `trainOnText`, on one release of each example, copies included, which `file` keeps, in the pieces that it is cut
 * into once it is encoded.
 */
export function onReleases(representation: Representation, piecesOf = uncut) {
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
    const { dimension } = representation.config;
    const released = (part: readonly TextExample[]) =>
      part.flatMap((example) => {
        const { vectors, labels: own } = of.get(example) as VectorExample;
        return piecesOf(example).map(({ start, end }) => ({
          vectors: vectors.subarray(start * dimension, end * dimension),
          labels: own.subarray(start, end),
        }));
      });
    const parts = {
      ...{ train: released(train), validation: released(validation) },
      turns: turns && mapTurns(turns, released),
    };
    const supply = inMemory(parts, config.batchSentences, joinedBuckets<VectorExample>);
    return trainOnVectors(supply, dimension, labels, config, context);
  };
}
