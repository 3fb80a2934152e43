import type { Vocabulary } from '../embeddings/vocabulary.js';
import { bootstrapInterval } from '../evaluation/bootstrap.js';
import type { Interval } from '../evaluation/evaluate.js';
import type { Representation } from '../networks/representation.js';
import type { Random } from '../tensor/random.js';
import * as tf from '../tensor/tf.js';
import { BATCH_SENTENCES, type Batch, lengthBuckets, paddedIds } from '../training/batch.js';
import { squaredDistances } from '../training/certified.js';
import type { TextExample } from '../training/examples.js';
import { drawTwins, type PairSource, pairSource } from '../training/pairs.js';
import { standardNormalCdf } from './standard-normal.js';
import type { AuditTarget } from './target.js';

export interface CertifiedBoundReport {
  readonly pairs: number;
  readonly documents: number;
  /** Draws of the input noise a pair. */
  readonly draws: number;
  /** E[Φ(Δ/2)]: no adversary of any kind is right more often on these pairs. */
  readonly bound: number;
  /** 95 %, bootstrap over documents; *certified at c* means that the upper end is at most c. */
  readonly interval: Interval;
  readonly median: number;
  readonly percentile95: number;
  readonly percentile99: number;
  readonly maximum: number;
  /** Share of pairs whose own bound is over 0.6. */
  readonly shareOver60: number;
  readonly words: number | null;
  readonly digits: number | null;
}

interface PairBound {
  readonly documentIndex: number;
  readonly bound: number;
  readonly digits: boolean;
}

export interface CertifiedBoundOptions {
  readonly seed: number;
  readonly draws?: number;
}

const DRAWS = 16;

/**
 * The upper limit on every possible adversary for pairs with one moved token. Given one draw n of
 * the input noise, shared by both sides, the releases are Gaussians of one covariance at distance
 * Δ(n) = ‖(f(x+n) − f(x'+n)) / σ_out‖₂, which the best test tells apart with probability Φ(Δ/2);
 * total variation is jointly convex, so the mean over n is a limit on all tests.
 */
export function certifiedBound(
  target: AuditTarget,
  { seed, draws = DRAWS }: CertifiedBoundOptions,
  random: Random,
): CertifiedBoundReport {
  const { representation, vocabulary, candidates, test } = target;
  const source = pairSource(test, candidates);
  const pairs: PairBound[] = [];
  for (const batch of lengthBuckets([...source.positions.keys()], BATCH_SENTENCES, random)) {
    pairs.push(...boundPairs(representation, vocabulary, source, batch, draws, random));
  }
  return summarise(pairs, draws, seed);
}

function boundPairs(
  representation: Representation,
  vocabulary: Vocabulary,
  source: PairSource,
  batch: Batch<TextExample>,
  draws: number,
  random: Random,
): PairBound[] {
  const { examples, steps, lengths } = batch;
  const twins = drawTwins(examples, source, random);
  const ids = paddedIds(
    examples.map((example) => example.ids),
    steps,
  );
  const twinIds = paddedIds(
    twins.map((twin) => twin.ids),
    steps,
  );
  const sums = new Float64Array(examples.length);
  for (let draw = 0; draw < draws; draw++) {
    const squared = tf.tidy(() =>
      squaredDistances(
        representation,
        representation.embed(vocabulary, ids, steps),
        representation.embed(vocabulary, twinIds, steps),
        lengths,
        random,
      ).dataSync<'float32'>(),
    );
    squared.forEach((value, i) => {
      sums[i] += standardNormalCdf(Math.sqrt(value) / 2);
    });
  }
  return examples.map(({ documentIndex, ids: words }, i) => ({
    documentIndex,
    bound: sums[i] / draws,
    digits: vocabulary.isDigits(words[twins[i].position]),
  }));
}

function summarise(pairs: readonly PairBound[], draws: number, seed: number): CertifiedBoundReport {
  const byDocument = new Map<number, { sum: number; pairs: number }>();
  for (const { documentIndex, bound } of pairs) {
    const count = byDocument.get(documentIndex) ?? { sum: 0, pairs: 0 };
    count.sum += bound;
    count.pairs += 1;
    byDocument.set(documentIndex, count);
  }
  const documents = [...byDocument.values()];
  const sorted = pairs.map(({ bound }) => bound).sort((a, b) => a - b);
  const quantile = (q: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  return {
    pairs: pairs.length,
    documents: documents.length,
    draws,
    bound: meanOf(documents),
    interval: bootstrapInterval(documents, meanOf, { seed }),
    median: quantile(0.5),
    percentile95: quantile(0.95),
    percentile99: quantile(0.99),
    maximum: sorted[sorted.length - 1],
    shareOver60: sorted.filter((bound) => bound > 0.6).length / sorted.length,
    words: mean(pairs.filter(({ digits }) => !digits)),
    digits: mean(pairs.filter(({ digits }) => digits)),
  };
}

function meanOf(documents: readonly { sum: number; pairs: number }[]): number {
  let sum = 0;
  let pairs = 0;
  for (const document of documents) {
    sum += document.sum;
    pairs += document.pairs;
  }
  return sum / pairs;
}

function mean(pairs: readonly PairBound[]): number | null {
  if (pairs.length === 0) return null;
  return pairs.reduce((sum, { bound }) => sum + bound, 0) / pairs.length;
}
