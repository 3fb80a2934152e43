import type { Vocabulary } from '../embeddings/vocabulary.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import type * as tf from '../tensor/tf.js';
import { inputMatrices } from './bilstm-layer.js';
import { Deidentifier, isSequenceToSequence } from './deidentifier.js';
import type { DeidentifierConfig } from './deidentifier-config.js';
import type { Parameters } from './parameters.js';
import { batchOfText, padded, paddedVectors, unpadded } from './text-batch.js';
import {
  type LabelledText,
  labelsOf,
  type ReadText,
  type TextNetwork,
  type WordInputs,
} from './text-network.js';

/** The de-identifier on raw text, trained text by text. */
export class DeidentifierNetwork implements TextNetwork {
  readonly deidentifier: Deidentifier;
  readonly wordInputs: WordInputs;

  constructor(
    config: DeidentifierConfig,
    private readonly vocabulary: Vocabulary,
    random: Random,
  ) {
    this.deidentifier = Deidentifier.create(config, random);
    const matrices = isSequenceToSequence(config)
      ? ['encoder/input/kernel', 'decoder/input/kernel']
      : inputMatrices('bilstm-0');
    this.wordInputs = { matrices, from: 0, characters: [] };
  }

  get parameters(): Parameters {
    return this.deidentifier.parameters;
  }

  read(text: LabelledText): ReadText {
    const tokens = text.flatMap((sentence) => sentence.tokens);
    const batch = batchOfText(text);
    const words = tokens.map((token) => this.vocabulary.idOf(token.text));
    const ids = padded(batch, words, -1);
    const labels = labelsOf(text);
    const truth = padded(batch, labels, 0);
    const { deidentifier, vocabulary } = this;
    const emissions = (random?: Random, vectors?: tf.Tensor2D) => {
      const given = vectors && paddedVectors(batch, vectors);
      const x = deidentifier.embed(vocabulary, ids, batch.steps, given);
      return deidentifier.emissions(x, batch.lengths, random);
    };
    return {
      ...{ tokens: tokens.length, labels },
      loss: (random, vectors) =>
        deidentifier
          .loss(emissions(random, vectors), truth, batch.lengths)
          .mul<tf.Scalar>(Math.max(tokens.length, 1)),
      decode: () => scoped(() => unpadded(batch, deidentifier.decode(emissions(), batch.lengths))),
    };
  }

  dispose(): void {
    this.deidentifier.dispose();
  }
}
