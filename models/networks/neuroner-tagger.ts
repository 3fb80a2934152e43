import type { Vocabulary } from '../embeddings/vocabulary.js';
import { type CrfWeights, crfDecode, crfNegativeLogLikelihood } from '../tensor/crf.js';
import { dropout } from '../tensor/dropout.js';
import { embedding, trainedRow, ZERO_ROW } from '../tensor/embedding.js';
import { bilstmLastStates } from '../tensor/last-states.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { bioesCount, bioesOf, iob2Of } from '../text/bioes.js';
import { bilstmLayer, bilstmWeights, inputMatrices } from './bilstm-layer.js';
import { denseLayer, denseWeights } from './dense-layer.js';
import { drawWeights, type InitialWeights } from './initial-weights.js';
import { glorotUniform, zeros } from './initialisers.js';
import { Parameters } from './parameters.js';
import { SPELLING_CODES, type Spellings, spellingsOf } from './spellings.js';
import { batchOfText, padded, paddedVectors, type TextBatch, unpadded } from './text-batch.js';
import {
  type LabelledText,
  labelsOf,
  type ReadText,
  type TextNetwork,
  type WordInputs,
} from './text-network.js';
import { embed } from './trained-vectors.js';
import { TrainedWords } from './trained-words.js';

export interface NeuronerConfig {
  /** E, the length of a word vector; there 100. */
  readonly dimension: number;
  /** IOB2 labels of the scheme. */
  readonly labels: number;
  readonly characterDimension: number;
  /** Units a direction of the characters' LSTM. */
  readonly characterUnits: number;
  /** Units a direction of the tokens' LSTM. */
  readonly units: number;
  readonly hidden: number;
  readonly dropout: number;
}

/** Dernoncourt et al. 2017, "De-identification of patient notes with recurrent neural networks", and NeuroNER. */
export const NEURONER_DEFAULTS = {
  characterDimension: 25,
  characterUnits: 25,
  units: 100,
  hidden: 100,
  dropout: 0.5,
} as const;

const NO_VECTORS = new Float32Array(0);

/**
 * NeuroNER's tagger: word vectors beside the last states of a BiLSTM over characters, a BiLSTM over the tokens
 * of a sentence, a hidden layer, and a CRF over labels that also say where an entity ends. Of word vectors those
 * of `trainedWords` are trained, as all are there, and those that stand for unknown words and digits.
 */
export class NeuronerTagger implements TextNetwork {
  readonly parameters: Parameters;
  readonly wordInputs: WordInputs;
  readonly #words: TrainedWords;

  /** `trainedWords` are ids of the vocabulary, none where texts are not to be told from the weights. */
  constructor(
    readonly config: NeuronerConfig,
    private readonly vocabulary: Vocabulary,
    random: Random,
    trainedWords: Iterable<number> = [],
  ) {
    this.#words = new TrainedWords(vocabulary, trainedWords);
    const initial = { trained: this.#words.initial(), ...neuronerWeights(config) };
    this.parameters = new Parameters(drawWeights(initial, random));
    this.wordInputs = {
      ...{ matrices: inputMatrices('tokens'), from: 2 * config.characterUnits },
      characters: ['characters/embedding'],
    };
  }

  read(text: LabelledText): ReadText {
    const tokens = text.flatMap((sentence) => sentence.tokens);
    const batch = batchOfText(text);
    const words = tokens.map((token) => this.vocabulary.idOf(token.text));
    const ids = padded(batch, words, -1);
    const spellings = spellingsOf(tokens);
    const rows = padded(batch, spellings.rows, ZERO_ROW);
    const truth = padded(
      batch,
      text.flatMap(({ labels }) => [...bioesOf(labels)]),
      0,
    );
    const emissions = (random?: Random, vectors?: tf.Tensor2D) =>
      this.#emissions(batch, ids, { ...spellings, rows }, random, vectors);
    return {
      ...{ tokens: tokens.length, labels: labelsOf(text) },
      loss: (random, vectors) =>
        crfNegativeLogLikelihood(
          emissions(random, vectors),
          truth,
          batch.lengths,
          this.#crf(),
        ).sum(),
      decode: () =>
        scoped(() => {
          const found = crfDecode(emissions(), batch.lengths, this.#crf());
          return iob2Of(unpadded(batch, found));
        }),
    };
  }

  dispose(): void {
    this.parameters.dispose();
  }

  /** [B, T, L] */
  #emissions(
    batch: TextBatch,
    ids: Int32Array,
    spellings: Spellings,
    random?: Random,
    given?: tf.Tensor2D,
  ): tf.Tensor3D {
    const { parameters, config } = this;
    const { steps, lengths } = batch;
    const words = given
      ? paddedVectors(batch, given)
      : embed(this.#words, parameters.matrix('trained'), ids, steps); // [B, T, E]
    const read = this.#characters(spellings); // [U, 2C]
    const characters = embedding(NO_VECTORS, read, spellings.rows).reshape<tf.Tensor3D>([
      ...[lengths.length, steps, 2 * config.characterUnits],
    ]);
    let x = tf.concat3d([characters, words], 2);
    if (random) x = dropout(x, config.dropout, random);
    const hidden = bilstmLayer(parameters, 'tokens', x, lengths); // [B, T, 2H]
    return denseLayer(parameters, 'emissions', denseLayer(parameters, 'hidden', hidden, 'tanh'));
  }

  /** [U, 2C] */
  #characters({ codes, lengths, steps }: Spellings): tf.Tensor2D {
    const rows = codes.map((code, i) =>
      i % steps < (lengths[Math.floor(i / steps)] as number) ? trainedRow(code) : ZERO_ROW,
    );
    const vectors = embedding(NO_VECTORS, this.parameters.matrix('characters/embedding'), rows);
    const { characterDimension: D } = this.config;
    const x = vectors.reshape<tf.Tensor3D>([lengths.length, steps, D]); // [U, S, D]
    return bilstmLastStates(bilstmLayer(this.parameters, 'characters', x, lengths), lengths);
  }

  #crf(): CrfWeights {
    return {
      transitions: this.parameters.matrix('crf/transitions'),
      start: this.parameters.vector('crf/start'),
      end: this.parameters.vector('crf/end'),
    };
  }
}

/** All but the word vectors that are trained. */
function neuronerWeights(config: NeuronerConfig): InitialWeights {
  const { dimension, labels, characterDimension, characterUnits, units, hidden } = config;
  const L = bioesCount(labels);
  return {
    'characters/embedding': glorotUniform(SPELLING_CODES, characterDimension),
    ...bilstmWeights('characters', characterDimension, characterUnits),
    ...bilstmWeights('tokens', dimension + 2 * characterUnits, units),
    ...denseWeights('hidden', 2 * units, hidden),
    ...denseWeights('emissions', hidden, L),
    'crf/transitions': zeros(L, L),
    'crf/start': zeros(L),
    'crf/end': zeros(L),
  };
}
