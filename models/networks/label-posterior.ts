/** The weights of a linear-chain CRF as plain numbers. */
export interface CrfValues {
  /** [L·L], from, to. */
  readonly transitions: Float32Array;
  /** [L] */
  readonly start: Float32Array;
  /** [L] */
  readonly end: Float32Array;
}

/**
 * The posterior of each label at each token, [T·L], each token's adding up to one: forward-backward
 * with scaling (Rabiner 1989, section V.A). `emissions` [T·L].
 */
export function labelPosterior(
  emissions: Float32Array,
  labels: number,
  crf: CrfValues,
): Float64Array {
  const L = labels;
  const T = emissions.length / L;
  const transitions = Float64Array.from(crf.transitions, Math.exp);
  const potentials = potentialsOf(emissions, T, L, crf);
  const forward = new Float64Array(T * L);
  const backward = new Float64Array(T * L);
  for (let t = 0; t < T; t++) {
    for (let to = 0; to < L; to++) {
      let sum = t === 0 ? 1 : 0;
      for (let from = 0; t > 0 && from < L; from++)
        sum += (forward[(t - 1) * L + from] as number) * (transitions[from * L + to] as number);
      forward[t * L + to] = sum * (potentials[t * L + to] as number);
    }
    normalise(forward, t * L, L);
  }
  backward.fill(1, (T - 1) * L);
  for (let t = T - 2; t >= 0; t--) {
    for (let from = 0; from < L; from++) {
      let sum = 0;
      for (let to = 0; to < L; to++) {
        const next = (t + 1) * L + to;
        sum +=
          (transitions[from * L + to] as number) *
          (potentials[next] as number) *
          (backward[next] as number);
      }
      backward[t * L + from] = sum;
    }
    normalise(backward, t * L, L);
  }
  const posterior = forward.map((value, i) => value * (backward[i] as number));
  for (let t = 0; t < T; t++) normalise(posterior, t * L, L);
  return posterior;
}

/** exp of the scores at each token, start and end included, the largest of a token one. */
function potentialsOf(emissions: Float32Array, T: number, L: number, crf: CrfValues): Float64Array {
  const scores = Float64Array.from(emissions);
  for (let label = 0; label < L; label++) {
    scores[label] = (scores[label] as number) + (crf.start[label] as number);
    const last = (T - 1) * L + label;
    scores[last] = (scores[last] as number) + (crf.end[label] as number);
  }
  for (let t = 0; t < T; t++) {
    const own = scores.subarray(t * L, (t + 1) * L);
    const greatest = Math.max(...own);
    for (let label = 0; label < L; label++)
      own[label] = Math.exp((own[label] as number) - greatest);
  }
  return scores;
}

function normalise(values: Float64Array, from: number, count: number): void {
  let sum = 0;
  for (let i = from; i < from + count; i++) sum += values[i] as number;
  for (let i = from; i < from + count; i++) values[i] = (values[i] as number) / sum;
}
