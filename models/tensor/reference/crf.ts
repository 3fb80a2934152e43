/** A batch of B sequences of at most T steps over L labels, outside any tensor backend. */
export interface CrfBatch {
  readonly batch: number;
  readonly steps: number;
  readonly labelCount: number;
  /** [B] */
  readonly lengths: Int32Array;
  /** [B, T, L] */
  readonly emissions: Float32Array;
  /** [L, L], from row to column */
  readonly transitions: Float32Array;
  /** [L] */
  readonly start: Float32Array;
  /** [L] */
  readonly end: Float32Array;
}

/** Gradients in the shapes of the batch's fields. */
export interface CrfGradients {
  readonly emissions: Float32Array;
  readonly transitions: Float32Array;
  readonly start: Float32Array;
  readonly end: Float32Array;
}

/** `log Z - score(labels)` of each sequence, [B]. */
export function crfLosses(crf: CrfBatch, labels: Int32Array): Float32Array {
  return Float32Array.from({ length: crf.batch }, (_, row) => {
    if (lengthOf(crf, row) === 0) return 0;
    return logPartition(crf, forwardScores(crf, row)) - pathScore(crf, row, labels);
  });
}

/**
 * The gradient of `sum of dy[b] * loss[b]`: the marginal probabilities that the forward-backward
 * algorithm gives, minus the counts of the true path.
 */
export function crfGradients(
  crf: CrfBatch,
  labels: Int32Array,
  dy: ArrayLike<number>,
): CrfGradients {
  const { steps, labelCount: count } = crf;
  const emissions = new Float32Array(crf.emissions.length);
  const transitions = new Float64Array(count * count);
  const start = new Float64Array(count);
  const end = new Float64Array(count);
  for (let row = 0; row < crf.batch; row++) {
    const length = lengthOf(crf, row);
    const weight = dy[row] as number;
    if (length === 0) continue;
    const forward = forwardScores(crf, row);
    const backward = backwardScores(crf, row);
    const logZ = logPartition(crf, forward);
    for (let t = 0; t < length; t++) {
      for (let k = 0; k < count; k++) {
        const at = t * count + k;
        const truth = labels[row * steps + t] === k ? 1 : 0;
        const marginal = Math.exp(value(forward, at) + value(backward, at) - logZ);
        const gradient = weight * (marginal - truth);
        emissions[row * steps * count + at] = gradient;
        if (t === 0) add(start, k, gradient);
        if (t === length - 1) add(end, k, gradient);
      }
    }
    for (let t = 1; t < length; t++) {
      for (let from = 0; from < count; from++) {
        for (let to = 0; to < count; to++) {
          const logJoint =
            value(forward, (t - 1) * count + from) +
            value(crf.transitions, from * count + to) +
            emission(crf, row, t, to) +
            value(backward, t * count + to);
          add(transitions, from * count + to, weight * Math.exp(logJoint - logZ));
        }
      }
      const from = value(labels, row * steps + t - 1);
      add(transitions, from * count + value(labels, row * steps + t), -weight);
    }
  }
  return {
    emissions,
    transitions: Float32Array.from(transitions),
    start: Float32Array.from(start),
    end: Float32Array.from(end),
  };
}

/** The probability of each label at each token, [B, T, L], 0 past a length. */
export function crfMarginals(crf: CrfBatch): Float32Array {
  const { steps, labelCount: count } = crf;
  const marginals = new Float32Array(crf.emissions.length);
  for (let row = 0; row < crf.batch; row++) {
    const length = lengthOf(crf, row);
    if (length === 0) continue;
    const forward = forwardScores(crf, row);
    const backward = backwardScores(crf, row);
    const logZ = logPartition(crf, forward);
    for (let at = 0; at < length * count; at++) {
      const score = value(forward, at) + value(backward, at) - logZ;
      marginals[row * steps * count + at] = Math.exp(score);
    }
  }
  return marginals;
}

/** The best path of each row, [B * T], 0 past its length. */
export function crfViterbi(crf: CrfBatch): Int32Array {
  const { steps, labelCount: count } = crf;
  const paths = new Int32Array(crf.batch * steps);
  for (let row = 0; row < crf.batch; row++) {
    const length = lengthOf(crf, row);
    if (length === 0) continue;
    const origins = new Int32Array(length * count);
    let best = Float64Array.from(
      { length: count },
      (_, k) => value(crf.start, k) + emission(crf, row, 0, k),
    );
    for (let t = 1; t < length; t++) {
      const next = new Float64Array(count);
      for (let to = 0; to < count; to++) {
        const from = argMax(count, (k) => value(best, k) + value(crf.transitions, k * count + to));
        origins[t * count + to] = from;
        next[to] =
          value(best, from) + value(crf.transitions, from * count + to) + emission(crf, row, t, to);
      }
      best = next;
    }
    let label = argMax(count, (k) => value(best, k) + value(crf.end, k));
    for (let t = length - 1; t >= 0; t--) {
      paths[row * steps + t] = label;
      label = value(origins, t * count + label);
    }
  }
  return paths;
}

/** alpha [length, L]: the log of the summed score of all paths that reach a label at a step. */
function forwardScores(crf: CrfBatch, row: number): Float64Array {
  const { labelCount: count } = crf;
  const length = lengthOf(crf, row);
  const alpha = new Float64Array(length * count);
  for (let k = 0; k < count; k++) alpha[k] = value(crf.start, k) + emission(crf, row, 0, k);
  for (let t = 1; t < length; t++) {
    for (let to = 0; to < count; to++) {
      const reach = logSumExp(
        count,
        (from) => value(alpha, (t - 1) * count + from) + value(crf.transitions, from * count + to),
      );
      alpha[t * count + to] = reach + emission(crf, row, t, to);
    }
  }
  return alpha;
}

/** beta [length, L]: the log of the summed score of all ways on from a label at a step. */
function backwardScores(crf: CrfBatch, row: number): Float64Array {
  const { labelCount: count } = crf;
  const length = lengthOf(crf, row);
  const beta = new Float64Array(length * count);
  for (let k = 0; k < count; k++) beta[(length - 1) * count + k] = value(crf.end, k);
  for (let t = length - 2; t >= 0; t--) {
    for (let from = 0; from < count; from++) {
      beta[t * count + from] = logSumExp(
        count,
        (to) =>
          value(crf.transitions, from * count + to) +
          emission(crf, row, t + 1, to) +
          value(beta, (t + 1) * count + to),
      );
    }
  }
  return beta;
}

function logPartition(crf: CrfBatch, alpha: Float64Array): number {
  const last = alpha.length - crf.labelCount;
  return logSumExp(crf.labelCount, (k) => value(alpha, last + k) + value(crf.end, k));
}

function pathScore(crf: CrfBatch, row: number, labels: Int32Array): number {
  const { steps, labelCount: count } = crf;
  const length = lengthOf(crf, row);
  const label = (t: number) => value(labels, row * steps + t);
  let score = value(crf.start, label(0)) + value(crf.end, label(length - 1));
  for (let t = 0; t < length; t++) {
    score += emission(crf, row, t, label(t));
    if (t > 0) score += value(crf.transitions, label(t - 1) * count + label(t));
  }
  return score;
}

function logSumExp(count: number, term: (k: number) => number): number {
  let maximum = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < count; k++) maximum = Math.max(maximum, term(k));
  if (maximum === Number.NEGATIVE_INFINITY) return maximum;
  let sum = 0;
  for (let k = 0; k < count; k++) sum += Math.exp(term(k) - maximum);
  return maximum + Math.log(sum);
}

function argMax(count: number, score: (k: number) => number): number {
  let best = 0;
  for (let k = 1; k < count; k++) if (score(k) > score(best)) best = k;
  return best;
}

function emission(crf: CrfBatch, row: number, t: number, k: number): number {
  return value(crf.emissions, (row * crf.steps + t) * crf.labelCount + k);
}

function lengthOf(crf: CrfBatch, row: number): number {
  return value(crf.lengths, row);
}

function value(array: ArrayLike<number>, at: number): number {
  return array[at] as number;
}

function add(array: Float64Array, at: number, amount: number): void {
  array[at] = value(array, at) + amount;
}
