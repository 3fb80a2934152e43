import { bootstrapInterval } from '../evaluation/bootstrap.js';
import type { Interval } from '../evaluation/evaluate.js';

/** An adversary's verdict on one pair. */
export interface PairScore {
  readonly documentIndex: number;
  /** The probability that the pair is real, as the adversary says. */
  readonly probability: number;
  readonly real: boolean;
}

export interface PairAccuracy {
  readonly pairs: number;
  readonly documents: number;
  readonly accuracy: number;
  /** 95 %, bootstrap over documents. */
  readonly interval: Interval;
  /** Area under the ROC curve: the chance that a real pair scores above a fake one. */
  readonly auc: number;
  /** 2 · accuracy − 1, the advantage over a coin. */
  readonly advantage: number;
}

export function pairAccuracy(scores: readonly PairScore[], seed: number): PairAccuracy {
  const byDocument = new Map<number, { right: number; pairs: number }>();
  for (const { documentIndex, probability, real } of scores) {
    const count = byDocument.get(documentIndex) ?? { right: 0, pairs: 0 };
    count.pairs += 1;
    if (probability >= 0.5 === real) count.right += 1;
    byDocument.set(documentIndex, count);
  }
  const counts = [...byDocument.values()];
  const accuracy = accuracyOf(counts);
  return {
    pairs: scores.length,
    documents: counts.length,
    accuracy,
    interval: bootstrapInterval(counts, accuracyOf, { seed }),
    auc: areaUnderRoc(scores),
    advantage: 2 * accuracy - 1,
  };
}

function accuracyOf(counts: readonly { right: number; pairs: number }[]): number {
  let right = 0;
  let pairs = 0;
  for (const count of counts) {
    right += count.right;
    pairs += count.pairs;
  }
  return right / pairs;
}

/** Mann-Whitney U over the number of (real, fake) couples; ties count one half. */
export function areaUnderRoc(scores: readonly PairScore[]): number {
  const sorted = [...scores].sort((a, b) => a.probability - b.probability);
  let fakesBelow = 0;
  let wins = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to].probability === sorted[from].probability) to += 1;
    const tied = sorted.slice(from, to);
    const reals = tied.filter(({ real }) => real).length;
    const fakes = tied.length - reals;
    wins += reals * (fakesBelow + fakes / 2);
    fakesBelow += fakes;
    from = to;
  }
  return wins / (fakesBelow * (scores.length - fakesBelow));
}
