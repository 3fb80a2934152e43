import type { Vocabulary } from '../embeddings/vocabulary.js';
import { softmaxCrossEntropy } from '../tensor/cross-entropy.js';
import { dropout } from '../tensor/dropout.js';
import { embedding, ZERO_ROW } from '../tensor/embedding.js';
import { bilstmLastStates } from '../tensor/last-states.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { bilstmLayer, bilstmWeights, inputMatrices } from './bilstm-layer.js';
import { coupledBilstm, coupledBilstmWeights } from './coupled-bilstm.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights } from './initial-weights.js';
import { Parameters } from './parameters.js';
import { codeTensor, SPELLING_CODES, type Spellings, spellingsOf } from './spellings.js';
import { type LabelledText, labelsOf, type ReadText, type TextNetwork } from './text-network.js';

export interface FestagConfig {
  /** E, the length of a word vector. */
  readonly dimension: number;
  /** IOB2 labels of the scheme; its classes are those without their places, and none. */
  readonly labels: number;
  /** Units a direction of the characters' LSTM. */
  readonly characterUnits: number;
  /** H, units a direction of the tokens' LSTM. */
  readonly units: number;
  readonly hidden: number;
  readonly dropout: number;
}

/** Festag and Spreckelsen 2020, Experiments; word vectors there have 300 numbers. */
export const FESTAG_DEFAULTS = {
  characterUnits: 128,
  units: 100,
  hidden: 100,
  dropout: 0.5,
} as const;

/**
 * The tagger of Festag and Spreckelsen 2020, which reads a whole text as one sequence: word vectors joined to
 * the last states of an LSTM with coupled gates over characters, a BiLSTM, a hidden layer and a softmax over
 * types and none. It has no CRF. Word vectors are not trained; a word without one has zeros.
 */
export class FestagTagger implements TextNetwork {
  readonly parameters: Parameters;
  readonly wordInputs = {
    ...{ matrices: inputMatrices('tokens'), from: 0 },
    characters: inputMatrices('characters'),
  };

  constructor(
    readonly config: FestagConfig,
    private readonly vocabulary: Vocabulary,
    random: Random,
  ) {
    this.parameters = new Parameters(drawWeights(festagWeights(config), random));
  }

  read(text: LabelledText): ReadText {
    const tokens = text.flatMap((sentence) => sentence.tokens);
    const ids = Int32Array.from(tokens, (token) => this.vocabulary.idOf(token.text));
    const words = ids.map((id) => (this.vocabulary.trained(id) > 0 ? ZERO_ROW : id));
    const spellings = spellingsOf(tokens);
    const labels = labelsOf(text);
    const classes = Int32Array.from(labels, classOf);
    return {
      ...{ tokens: tokens.length, labels },
      loss: (random, vectors) =>
        softmaxCrossEntropy(this.#logits(words, spellings, random, vectors), classes).sum(),
      decode: () =>
        scoped(() => iob2Of(this.#logits(words, spellings).argMax(1).dataSync<'int32'>())),
    };
  }

  dispose(): void {
    this.parameters.dispose();
  }

  /** [T, K] of a text of T tokens. */
  #logits(
    words: Int32Array,
    spellings: Spellings,
    random?: Random,
    given?: tf.Tensor2D,
  ): tf.Tensor2D {
    const { parameters, config, vocabulary } = this;
    const untrained = tf.zeros<tf.Rank.R2>([1, config.dimension]);
    const vectors = given ?? embedding(vocabulary.vectors(), untrained, words); // [T, E]
    const states = coupledBilstm(
      parameters,
      'characters',
      codeTensor(spellings),
      spellings.lengths,
    ); // [U, S, 2C]
    const read = bilstmLastStates(states, spellings.lengths); // [U, 2C]
    const ofTokens = embedding(new Float32Array(0), read, spellings.rows); // [T, 2C]
    let x = tf.concat2d([vectors, ofTokens], 1).expandDims<tf.Tensor3D>(0); // [1, T, E + 2C]
    if (random) x = dropout(x, config.dropout, random);
    const hidden = bilstmLayer(parameters, 'tokens', x, Int32Array.of(words.length)); // [1, T, 2H]
    const layer = denseLayer(parameters, 'hidden', hidden, 'tanh');
    return denseLayer(parameters, 'classes', layer).squeeze([0]);
  }
}

export function festagWeights(config: FestagConfig): InitialWeights {
  const { dimension, labels, characterUnits, units, hidden } = config;
  return {
    ...coupledBilstmWeights('characters', SPELLING_CODES, characterUnits),
    ...bilstmWeights('tokens', dimension + 2 * characterUnits, units),
    ...denseWeights('hidden', 2 * units, hidden),
    ...denseWeights('classes', hidden, classOf(labels - 1) + 1),
  };
}

/** Of an IOB2 label its type, from 1 on; 0 is none. */
function classOf(label: number): number {
  return (label + 1) >> 1;
}

/** Neighbours of one type are one entity: the classes do not say where one begins. */
function iob2Of(classes: Int32Array): Uint8Array {
  return Uint8Array.from(classes, (each, t) => {
    if (each === 0) return 0;
    return t > 0 && classes[t - 1] === each ? 2 * each : 2 * each - 1;
  });
}
