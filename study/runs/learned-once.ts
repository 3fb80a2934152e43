import type { Tagger } from '../../models/networks/tagger.js';
import { Stopwatch } from './stopwatch.js';

/** A network of one place, and what it took. */
export interface Learned {
  readonly tagger: Tagger;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
}

/** Networks that several ways read with: each is trained once, and what it took counts in every way. */
export class LearnedOnce {
  readonly #networks = new Map<string, Promise<Learned>>();

  has(name: string): boolean {
    return this.#networks.has(name);
  }

  /** The network of that name, which `train` makes where it is not there. */
  learn(name: string, train: () => Promise<Tagger>): Promise<Learned> {
    const known = this.#networks.get(name);
    if (known) return known;
    const learned = timed(train);
    this.#networks.set(name, learned);
    return learned;
  }

  async dispose(): Promise<void> {
    const networks = await Promise.allSettled(this.#networks.values());
    this.#networks.clear();
    for (const network of networks)
      if (network.status === 'fulfilled') network.value.tagger.deidentifier.dispose();
  }
}

async function timed(train: () => Promise<Tagger>): Promise<Learned> {
  const stopwatch = new Stopwatch();
  const tagger = await train();
  const { wallSeconds, cpuSeconds } = stopwatch;
  return { tagger, wallSeconds, cpuSeconds };
}
