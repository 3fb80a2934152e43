import { setImmediate } from 'node:timers/promises';
import { Decoder } from '../networks/decoder.js';
import { softmaxCrossEntropy } from '../tensor/cross-entropy.js';
import type { Random } from '../tensor/random.js';
import { scoped } from '../tensor/scoped.js';
import * as tf from '../tensor/tf.js';
import { CASINGS } from '../text/casing.js';
import { BATCH_SENTENCES, type Batch, lengthBuckets, tokensOf } from '../training/batch.js';
import type { TextExample } from '../training/examples.js';
import { LEARNER_DEFAULTS, Learner } from '../training/learner.js';
import { isPhi } from '../training/move.js';
import { runStage, type Stage } from '../training/stage.js';
import type { Attack, AttackContext, AttackReport } from './attack.js';
import { attackReport, type Outcome, shortenedLearning } from './attack-report.js';
import { Dictionary } from './dictionary.js';
import { LEARNING_LIMITS, type LearningLimits } from './learning-limits.js';
import { shown } from './observe.js';
import type { AuditTarget } from './target.js';
import { TraitReader } from './traits.js';
import { UnigramPrior } from './unigram-prior.js';

export interface InversionOptions {
  readonly units?: number;
  readonly limits?: LearningLimits;
  /** Words that the decoder may answer with, the most frequent ones. */
  readonly words?: number;
  /** Notes to learn from and to be measured on, at most so many sentences of each. */
  readonly sentences?: number;
}

const LEARNING_RATE = 0.003;

interface TrainedInversion extends Inversion {
  readonly unseen: readonly TextExample[];
  readonly epochs: number;
  readonly bestEpoch: number;
}

interface InversionFound {
  readonly read: readonly ReadToken[];
  readonly rest: Pick<AttackReport, 'settings' | 'shortened'>;
}

/** What the decoder learns from and answers with. */
interface Inversion {
  readonly target: AuditTarget;
  readonly decoder: Decoder;
  readonly dictionary: Dictionary;
  /** [V, E] */
  readonly vectors: tf.Tensor2D;
}

/**
 * Inversion: a decoder learns on the attacker's own notes to read every word out of a release, with
 * the labels and casing that are shared in clear, and is then given releases of unseen notes. What
 * labels and casing alone give is the chance that it is compared with.
 */
export function inversion({
  units = 96,
  limits = LEARNING_LIMITS,
  words = 4000,
  sentences = 2000,
}: InversionOptions = {}): Attack<TrainedInversion, InversionFound> {
  return {
    name: 'inversion',
    minutes: 1.5,
    reports: 2,
    async prepare(given, context) {
      const target = { ...given, train: given.train.slice(0, sentences) };
      const unseen = given.test.slice(0, sentences);
      const { representation, vocabulary, labels } = target;
      const dictionary = new Dictionary(target.train, [...target.validation, ...unseen], words);
      const { dimension, embeddingDimension } = representation.config;
      const config = {
        inputs: dimension + CASINGS.length + labels.length,
        embeddingDimension,
        units,
      };
      const random = context.random.fork('decoder');
      const decoder = new Decoder(config, dictionary.prior(), random);
      const vectors = dictionary.vectors(representation, vocabulary);
      const attack = { target, decoder, dictionary, vectors };
      const { epochs, bestEpoch } = await runStage(decoderStage(attack, limits), context);
      return { ...attack, unseen, epochs, bestEpoch };
    },
    async run(_, context, { unseen, epochs, bestEpoch, ...attack }) {
      const read = await readAll(attack, unseen, context);
      attack.decoder.parameters.dispose();
      attack.vectors.dispose();
      const settings = { units, words: attack.dictionary.size, epochs, bestEpoch, ...limits };
      const shortened = shortenedLearning({ epochs, bestEpoch }, limits);
      return { read, rest: { settings, shortened } };
    },
    report: inversionReports,
  };
}

function decoderStage(attack: Inversion, limits: LearningLimits): Stage {
  const { target, decoder } = attack;
  const learner = new Learner([decoder.parameters], {
    ...LEARNER_DEFAULTS,
    learningRate: LEARNING_RATE,
  });
  return {
    name: 'inversion',
    ...limits,
    networks: { decoder: decoder.parameters },
    optimisers: { decoder: learner },
    tokensPerEpoch: tokensOf(target.train),
    *batches(random) {
      for (const batch of lengthBuckets(target.train, BATCH_SENTENCES, random)) {
        const run = () =>
          tf.tidy(() => {
            const x = features(target, batch, random);
            return { l_word: learner.step(() => lossOf(attack, x, batch)) };
          });
        yield { tokens: batch.tokens, run };
      }
    },
    validate(random) {
      let sum = 0;
      let tokens = 0;
      for (const batch of lengthBuckets(target.validation, BATCH_SENTENCES)) {
        const loss = () => lossOf(attack, features(target, batch, random), batch);
        sum += batch.tokens * tf.tidy(() => loss().dataSync<'float32'>()[0]);
        tokens += batch.tokens;
      }
      return { l_word: sum / tokens, monitor: sum / tokens };
    },
  };
}

/** A release, the casing and the labels of a batch, [B, T, d + 7 + L]. */
function features(
  target: AuditTarget,
  { examples, steps, casing, labels: labelIds }: Batch<TextExample>,
  random: Random,
): tf.Tensor3D {
  const { labels } = target;
  const shape = (width: number): [number, number, number] => [examples.length, steps, width];
  return tf.concat3d(
    [
      shown(target, examples, random),
      oneHot(casing, CASINGS.length).reshape(shape(CASINGS.length)),
      oneHot(labelIds, labels.length).reshape(shape(labels.length)),
    ],
    2,
  );
}

function oneHot(values: ArrayLike<number>, width: number): tf.Tensor1D {
  const rows = new Float32Array(values.length * width);
  for (let i = 0; i < values.length; i++) rows[i * width + values[i]] = 1;
  return tf.tensor1d(rows);
}

/** Mean cross-entropy over true tokens whose word is in the dictionary. */
function lossOf(
  { decoder, dictionary, vectors }: Inversion,
  x: tf.Tensor3D,
  { examples, steps, lengths }: Batch<TextExample>,
): tf.Scalar {
  const rows = new Int32Array(examples.length * steps);
  const weights = new Float32Array(rows.length);
  examples.forEach(({ ids }, sentence) => {
    ids.forEach((id, t) => {
      const row = dictionary.rowOf(id);
      if (row < 0) return;
      rows[sentence * steps + t] = row;
      weights[sentence * steps + t] = 1;
    });
  });
  const total = Math.max(
    1,
    weights.reduce((a, b) => a + b, 0),
  );
  const losses = softmaxCrossEntropy(decoder.logits(x, lengths, vectors), rows);
  return losses.mul(weights).sum<tf.Scalar>().div(total);
}

interface ReadToken {
  readonly outcome: Outcome;
  readonly phi: boolean;
}

async function readAll(
  attack: Inversion,
  unseen: readonly TextExample[],
  { random, signal }: AttackContext,
): Promise<ReadToken[]> {
  const { target } = attack;
  const prior = new UnigramPrior(target.train);
  const traits = new TraitReader(target);
  const noise = random.fork('measure');
  const read: ReadToken[] = [];
  for (const batch of lengthBuckets(unseen, BATCH_SENTENCES)) {
    signal?.throwIfAborted();
    const ranks = ranksOf(attack, batch, noise);
    batch.examples.forEach((example, sentence) => {
      example.ids.forEach((_, t) => {
        const rank = ranks[sentence * batch.steps + t];
        const phi = isPhi(example, t);
        const outcome = {
          documentIndex: example.documentIndex,
          success: rank === 0,
          inTopTen: rank < 10,
          guessed: Number(prior.isRight(example, t)),
          ...(phi && { traits: traits.of(example, t) }),
        };
        read.push({ outcome, phi });
      });
    });
    await setImmediate();
  }
  return read;
}

/** How many words of the dictionary score above the right one at each token, [B·T]. */
function ranksOf(
  { target, decoder, dictionary, vectors }: Inversion,
  batch: Batch<TextExample>,
  random: Random,
): Float64Array {
  const { examples, steps, lengths } = batch;
  const scores = scoped(() =>
    decoder.logits(features(target, batch, random), lengths, vectors).dataSync<'float32'>(),
  );
  const ranks = new Float64Array(examples.length * steps).fill(Number.POSITIVE_INFINITY);
  examples.forEach(({ ids }, sentence) => {
    ids.forEach((id, t) => {
      const token = sentence * steps + t;
      const row = dictionary.rowOf(id);
      if (row < 0) return;
      const own = scores.subarray(token * dictionary.size, (token + 1) * dictionary.size);
      let above = 0;
      for (let i = 0; i < own.length; i++) if (own[i] > own[row]) above += 1;
      ranks[token] = above;
    });
  });
  return ranks;
}

function inversionReports({ read, rest }: InversionFound, context: AttackContext): AttackReport[] {
  return [true, false].map((phi) => {
    const tokens = read.filter((token) => token.phi === phi);
    return attackReport(
      {
        ...rest,
        name: phi ? 'inversion-phi' : 'inversion-other',
        task: phi ? 'read the PHI' : 'read other words',
        description: `learns on its own notes to read words out of releases, and reads ${
          phi ? 'the PHI' : 'the other words'
        } of unseen notes`,
      },
      tokens.map(({ outcome }) => outcome),
      'tried',
      context,
    );
  });
}
