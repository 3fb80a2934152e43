import { type Adversary, adversaryLoss, PROBABILITY_MARGIN } from '../networks/adversary.js';
import type { AdversarialBatch } from './adversarial-batch.js';

/** What an adversary answered about pairs, summed up batch by batch. */
export class PairAnswers {
  #loss = 0;
  #right = 0;
  #pairs = 0;
  #sum = 0;
  #squares = 0;
  #confusion = 0;

  /** Asks it about a batch; call inside a tidy. */
  add(adversary: Adversary, { pairs, real }: AdversarialBatch): void {
    const probabilities = adversary.probabilities(pairs); // [P]
    this.#loss += real.length * adversaryLoss(probabilities, real).dataSync<'float32'>()[0];
    this.#pairs += real.length;
    probabilities.dataSync<'float32'>().forEach((p, pair) => {
      if (p >= 0.5 === (real[pair] === 1)) this.#right += 1;
      this.#sum += p;
      this.#squares += p * p;
      this.#confusion -= (Math.log(awayFromCertainty(p)) + Math.log(awayFromCertainty(1 - p))) / 2;
    });
  }

  /** l_adv, the mean over the pairs. */
  get loss(): number {
    return this.#loss / this.#pairs;
  }

  /** The cross-entropy of its answers with a coin: log 2 where each is one half. */
  get confusion(): number {
    return this.#confusion / this.#pairs;
  }

  /** The share of pairs that it was right about. */
  get accuracy(): number {
    return this.#right / this.#pairs;
  }

  /** How far its outputs differ from pair to pair: 0 where it says the same of all. */
  get stddev(): number {
    const mean = this.#sum / this.#pairs;
    return Math.sqrt(Math.max(0, this.#squares / this.#pairs - mean * mean));
  }
}

function awayFromCertainty(probability: number): number {
  return probability * (1 - 2 * PROBABILITY_MARGIN) + PROBABILITY_MARGIN;
}
