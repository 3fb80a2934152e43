import { standardNormalQuantile } from '../tensor/standard-normal.js';
import type { Interval } from './bootstrap.js';

/**
 * The exact interval of a rate from `successes` in `trials` independent trials (Clopper and Pearson
 * 1934): it holds the true rate with at least the stated confidence, whatever the rate.
 */
export function clopperPearson(successes: number, trials: number, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2;
  return [
    clopperPearsonLower(successes, trials, 1 - tail),
    clopperPearsonUpper(successes, trials, 1 - tail),
  ];
}

/** The one-sided lower end: the true rate is at least this with the stated confidence. */
export function clopperPearsonLower(successes: number, trials: number, confidence: number): number {
  if (successes === 0) return 0;
  return betaQuantile(1 - confidence, successes, trials - successes + 1);
}

/** The one-sided upper end. */
export function clopperPearsonUpper(successes: number, trials: number, confidence: number): number {
  if (successes === trials) return 1;
  return betaQuantile(confidence, successes + 1, trials - successes);
}

/** P(X ≥ successes) in so many independent trials. */
export function binomialTail(successes: number, trials: number, rate: number): number {
  return successes <= 0 ? 1 : regularisedBeta(rate, successes, trials - successes + 1);
}

/** P(at most `most` marked) in `drawn` of `all` things, `marked` of which are marked, without replacement. */
export function hypergeometricAtMost(
  most: number,
  drawn: number,
  marked: number,
  all: number,
): number {
  const logChoose = (n: number, k: number) =>
    logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
  let sum = 0;
  for (let k = Math.max(0, drawn - (all - marked)); k <= Math.min(most, drawn, marked); k++)
    sum += Math.exp(
      logChoose(marked, k) + logChoose(all - marked, drawn - k) - logChoose(all, drawn),
    );
  return Math.min(1, sum);
}

const MOST_STEPS = 100;
/** Of x or 1 − x: after a step of Newton's as small as this the next would be rounding. */
const LAST_STEP = 1e-9;
/** To which x is told: parameters that were summed in another order differ in the digits behind. */
const DIGITS = 12;

/**
 * The x at which I_x(a, b) is `probability`, to twelve digits: by Newton's steps from where a normal distribution has it, and
 * by halves where one would leave what is known to hold x, or is no half of the one before the last.
 */
export function betaQuantile(probability: number, a: number, b: number): number {
  if (probability <= 0 || probability >= 1) return probability <= 0 ? 0 : 1;
  const beta = logBeta(a, b);
  const density = (x: number) => Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - beta);
  let [low, high] = [0, 1];
  let x = normalQuantile(probability, a, b);
  let steps = [1, 1];
  for (let i = 0; i < MOST_STEPS; i++) {
    const excess = cumulative(x, a, b, beta) - probability;
    if (excess < 0) low = x;
    else high = x;
    const next = x - excess / density(x);
    const isSteady = next > low && next < high && 2 * Math.abs(next - x) < steps[0];
    const to = isSteady ? next : (low + high) / 2;
    const step = Math.abs(to - x);
    x = to;
    if (step <= (isSteady ? LAST_STEP : Number.EPSILON) * Math.min(x, 1 - x)) break;
    steps = [steps[1], step];
  }
  return Number(x.toPrecision(DIGITS));
}

/** Of the normal distribution of the same mean and variance; the mean where that lies outside. */
function normalQuantile(probability: number, a: number, b: number): number {
  const mean = a / (a + b);
  const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  const x = mean + standardNormalQuantile(probability) * deviation;
  return x > 0 && x < 1 ? x : mean;
}

/** I_x(a, b). */
export function regularisedBeta(x: number, a: number, b: number): number {
  return cumulative(x, a, b, logBeta(a, b));
}

/** I_x(a, b) given log B(a, b), by its continued fraction on the side where that converges fast (DLMF 8.17.22). */
function cumulative(x: number, a: number, b: number, beta: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - cumulative(1 - x, b, a, beta);
  const front = a * Math.log(x) + b * Math.log1p(-x) - beta;
  return (Math.exp(front) / a) * betaFraction(x, a, b);
}

const FRACTION_TERMS = 2000;
const TINY = 1e-300;

/** Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= FRACTION_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** log B(a, b). */
function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** log Γ(x) for x > 0: Stirling's series after the recurrence has carried x over 10. */
function logGamma(x: number): number {
  let shift = 0;
  let at = x;
  while (at < 10) shift -= Math.log(at++);
  const inverse = 1 / (at * at);
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) /
    at;
  return shift + (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series;
}
