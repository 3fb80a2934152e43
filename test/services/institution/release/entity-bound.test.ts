import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accuracyLimit } from '../../../../models/certification/accuracy.js';
import { findCandidates } from '../../../../models/embeddings/candidates.js';
import { Adversary, adversaryLoss } from '../../../../models/networks/adversary.js';
import { release } from '../../../../models/networks/release.js';
import { Representation } from '../../../../models/networks/representation.js';
import { clopperPearson } from '../../../../models/statistics/binomial.js';
import { logMeanExp } from '../../../../models/statistics/log-mean-exp.js';
import { Random } from '../../../../models/tensor/random.js';
import * as tf from '../../../../models/tensor/tf.js';
import { Learner } from '../../../../models/training/run/learner.js';
import type { EncodingModel } from '../../../../services/institution/bundles/encoding-model.js';
import { Ledger } from '../../../../services/institution/release/ledger/ledger.js';
import {
  accuracyBound,
  type Spent,
} from '../../../../services/institution/release/limits/charge.js';
import { plainMean, plainStddev } from '../../../models/networks/plain-representation.js';
import { WORDS } from '../notes.js';
import { createPublisher, encodingModelOf, type Publisher, removePublisher } from '../publisher.js';
import { encodeKept } from './encode-kept.js';

const NAME = 'beta';
/** Three jobs of an institution, all with the same name in them. */
const JOBS = [
  [`alpha ${NAME} gamma.`, `delta ${NAME}.`],
  [`zeta ${NAME} alpha.`],
  [`${NAME} epsilon gamma delta.`],
];
const TEXTS = JOBS.flat();
const NEIGHBOURS = 4;
const TWINS = 400;
/** Of the input noise, for whoever integrates over it. */
const NOISE_DRAWS = 100;
const PLAIN_DRAWS = 40;
const TRIALS = 1000;
const TRAINING_STEPS = 120;
const BATCH = 64;

/** All sentences with one word in the place of the name. */
type Variant = readonly Int32Array[];

interface Trial {
  readonly real: boolean;
  /** The word that stands there if the pair is fake. */
  readonly word: number;
  /** By sentence, [T·d]. */
  readonly releases: readonly Float32Array[];
}

describe('the bound of an entity over several jobs', () => {
  let publisher: Publisher;
  let home: string;
  let model: EncodingModel;
  let spent: Spent;
  /** By candidate, the name itself first. */
  let variants: readonly Variant[];
  const random = new Random(5);

  beforeAll(async () => {
    publisher = await createPublisher(WORDS);
    const published = await encodingModelOf(publisher);
    // With so much noise that the bound is far from one.
    const { config } = published.representation;
    const representation = Representation.create({ ...config, initialOutputStddev: 1.3 }, random);
    model = { ...published, representation };
    home = await mkdtemp(join(tmpdir(), 'tacet-entity-'));
    const certification = { limit: 1, neighbours: NEIGHBOURS, twins: TWINS };
    for (const [job, texts] of JOBS.entries()) {
      const notes = texts.map((text, i) => {
        const start = text.indexOf(NAME);
        return {
          id: `${job}-${i}`,
          text,
          spans: [{ type: 'PHI', start, end: start + NAME.length }],
        };
      });
      const report = await encodeKept(notes, model, home, { certification });
      expect(report).toMatchObject({ released: texts.length, withheld: 0 });
    }
    const ledger = await Ledger.openOrMake(home);
    spent = ledger.entities.spentOn(ledger.key.hashEntity([NAME]).toString('hex'));
    ledger.close();

    const { vocabulary } = model;
    const name = vocabulary.idOf(NAME);
    const candidates = await findCandidates(vocabulary, [name], NEIGHBOURS);
    const rows = TEXTS.map((text) =>
      Int32Array.from(text.match(/\w+|\./g) ?? [], (word) => vocabulary.idOf(word)),
    );
    variants = Array.from(candidates.of(name), (word) =>
      rows.map((sentence) => sentence.map((id) => (id === name ? word : id))),
    );
    expect(variants).toHaveLength(NEIGHBOURS);
  });
  afterAll(async () => {
    await removePublisher(publisher);
    await rm(home, { recursive: true });
  });

  const bound = () => accuracyBound(spent);
  const releasesOf = (all: readonly Variant[]): Float32Array[][] => {
    const flat = release(model.representation, model.vocabulary, all.flat());
    return all.map((_, i) => flat.slice(i * TEXTS.length, (i + 1) * TEXTS.length));
  };
  const drawTrials = (count: number): Trial[] => {
    const drawn = Array.from({ length: count }, () => ({
      word: random.integer(NEIGHBOURS),
      real: random.integer(2) === 1,
    }));
    const texts = drawn.map(({ real, word }) => variants[real ? 0 : word] as Variant);
    const releases = releasesOf(texts);
    return drawn.map((trial, i) => ({ ...trial, releases: releases[i] as Float32Array[] }));
  };
  const within = (right: number) => {
    const [lower, upper] = clopperPearson(right, TRIALS);
    expect(lower).toBeLessThanOrEqual(bound());
    return { lower, upper };
  };

  test('equals what plain loops over all moves and fresh noise give', () => {
    const weights = model.representation.parameters.toArrays();
    const [input, output] = [
      plainStddev(weights, 'noise/input'),
      plainStddev(weights, 'noise/output'),
    ];
    const E = model.vocabulary.dimension;
    const I = model.representation.inputDimension;
    const inputOf = (id: number, k: number) =>
      k >= E ? Number(model.vocabulary.casing(id) === k - E) : wordOf(id, k);
    const wordOf = (id: number, k: number) =>
      model.vocabulary.trained(id) > 0
        ? (weights.trained?.data[(model.vocabulary.trained(id) - 1) * E + k] as number)
        : (model.vocabulary.vectors()[id * E + k] as number);
    const mean = (ids: Int32Array, noise: Float32Array) =>
      plainMean(
        weights,
        Array.from(ids, (id, t) =>
          input.map((stddev, k) => inputOf(id, k) + stddev * (noise[t * I + k] as number)),
        ),
      );
    let sum = 0;
    for (const s of TEXTS.keys()) {
      for (let draw = 0; draw < PLAIN_DRAWS; draw++) {
        const own = variants[0]?.[s] as Int32Array;
        const noise = random.normals(own.length * I);
        const text = mean(own, noise);
        for (const variant of variants) {
          const twin = mean(variant[s] as Int32Array, noise);
          for (const [t, vector] of text.entries())
            for (const [k, value] of vector.entries())
              sum += ((value - (twin[t]?.[k] as number)) / (output[k] as number)) ** 2;
        }
      }
    }
    const expected = sum / PLAIN_DRAWS / NEIGHBOURS;
    const found = [...spent.squared];
    const average = found.reduce((total, value) => total + value, 0) / TWINS;
    const squares = found.reduce((total, value) => total + (value - average) ** 2, 0);
    expect(spent.sentences).toBe(TEXTS.length);
    expect(Math.abs(average - expected)).toBeLessThan(
      (4 * Math.sqrt(squares)) / TWINS + 0.05 * expected,
    );
    // Φ(½√s) is concave: the mean over twins is no more than that of their mean.
    expect(bound()).toBeLessThan(accuracyLimit(expected) + 0.05);
    expect(bound()).toBeGreaterThan(0.6);
    expect(bound()).toBeLessThan(0.97);
  });

  test('is not beaten by the best test of who knows the model, its noise and both words', () => {
    const stddev = plainStddev(model.representation.parameters.toArrays(), 'noise/output');
    const means = variants.map((variant) => variant.map((ids) => noisyMeans(ids)));
    const logLikelihood = (released: Float32Array, samples: readonly Float32Array[]) =>
      logMeanExp(
        samples.map((sample) =>
          sample.reduce((sum, value, i) => {
            const distance = (released[i] as number) - value;
            return sum - (distance / (stddev[i % stddev.length] as number)) ** 2 / 2;
          }, 0),
        ),
      );
    let right = 0;
    for (const { real, word, releases } of drawTrials(TRIALS)) {
      const score = releases.reduce((sum, released, s) => {
        const [own, other] = [means[0]?.[s], means[word]?.[s]];
        if (!own || !other || word === 0) return sum;
        return sum + logLikelihood(released, own) - logLikelihood(released, other);
      }, 0);
      if (word === 0 ? random.integer(2) === 1 : score > 0 === real) right++;
    }
    const { upper } = within(right);
    expect(upper).toBeGreaterThan(bound() - 0.2);
  });

  test('is not beaten by the adversary of the paper, trained on those very pairs', () => {
    const { vocabulary, representation } = model;
    const [I, d] = [representation.inputDimension, representation.config.dimension];
    const own = (variants[0] as Variant).flatMap((ids) => [...ids]);
    const T = own.length;
    const adversary = Adversary.create({ inputDimension: I, dimension: d, units: 16 }, random);
    const learner = new Learner([adversary.parameters], { learningRate: 0.01, clipNorm: 1 });
    const batchOf = (trials: readonly Trial[]) => {
      const P = trials.length;
      const joined = (all: readonly (readonly Float32Array[])[]) =>
        tf.tensor3d(
          all.flatMap((releases) => releases.flatMap((values) => [...values])),
          [P, T, d],
        );
      const ids = Int32Array.from({ length: P * T }, (_, i) => own[i % T] as number);
      return {
        embeddings: representation.embed(vocabulary, ids, T),
        first: joined(releasesOf(trials.map(() => variants[0] as Variant))),
        second: joined(trials.map(({ releases }) => releases)),
        lengths: new Int32Array(P).fill(T),
      };
    };
    for (let step = 0; step < TRAINING_STEPS; step++) {
      const trials = drawTrials(BATCH);
      const real = Float32Array.from(trials, (trial) => Number(trial.real));
      tf.tidy(() => {
        const batch = batchOf(trials);
        learner.step(() => adversaryLoss(adversary.probabilities(batch), real));
      });
    }
    let right = 0;
    const trials = drawTrials(TRIALS);
    for (let from = 0; from < TRIALS; from += BATCH) {
      const part = trials.slice(from, from + BATCH);
      const found = tf.tidy(() => adversary.probabilities(batchOf(part)).dataSync<'float32'>());
      for (const [i, { real }] of part.entries()) if (Number(found[i]) > 0.5 === real) right++;
    }
    learner.dispose();
    adversary.dispose();
    const { lower } = within(right);
    expect(lower).toBeGreaterThan(0.52);
  });

  /** f(x + n) for fresh n, [T·d] each. */
  function noisyMeans(ids: Int32Array): Float32Array[] {
    const { representation, vocabulary } = model;
    const I = representation.inputDimension;
    return tf.tidy(() => {
      const many = new Int32Array(NOISE_DRAWS * ids.length);
      for (let draw = 0; draw < NOISE_DRAWS; draw++) many.set(ids, draw * ids.length);
      const x = representation.embed(vocabulary, many, ids.length);
      const noise = tf
        .tensor3d(random.normals(many.length * I), [NOISE_DRAWS, ids.length, I])
        .mul<tf.Tensor3D>(representation.inputStddev());
      const lengths = new Int32Array(NOISE_DRAWS).fill(ids.length);
      const means = representation.mean(x.add(noise), lengths);
      const values = means.dataSync<'float32'>();
      const size = values.length / NOISE_DRAWS;
      return Array.from({ length: NOISE_DRAWS }, (_, i) => values.slice(i * size, (i + 1) * size));
    });
  }
});
