import { Random } from '../../models/tensor/random.js';
import { mutate } from './mutation.js';
import type { Outcome, Target } from './targets.js';

export interface FuzzOptions {
  readonly seed: number;
  /** The first input; each depends on seed and number alone, so that any of them can be had again. */
  readonly from: number;
  readonly inputs: number;
  /** Told before and after each input. */
  readonly onInput?: (input: number) => void;
}

export interface FuzzCounts extends Outcome {
  readonly inputs: number;
  readonly slowestMs: number;
  readonly slowestInput: number;
}

/** Runs a target on mutated inputs. Throws at the first broken promise, with the input's number. */
export async function fuzz(
  target: Target,
  { seed, from, inputs, onInput }: FuzzOptions,
): Promise<FuzzCounts> {
  const random = new Random(seed);
  let read = 0;
  let refused = 0;
  let slowestMs = 0;
  let slowestInput = from;
  for (let number = from; number < from + inputs; number++) {
    onInput?.(number);
    const own = random.fork(String(number));
    const input = mutate(target.samples, own);
    const start = performance.now();
    const outcome = await run(target, input, own, number);
    const elapsedMs = performance.now() - start;
    if (elapsedMs > slowestMs) [slowestMs, slowestInput] = [elapsedMs, number];
    read += outcome.read;
    refused += outcome.refused;
  }
  return { inputs, read, refused, slowestMs, slowestInput };
}

async function run(
  target: Target,
  input: Buffer,
  random: Random,
  number: number,
): Promise<Outcome> {
  try {
    return await target.run(input, random);
  } catch (cause) {
    throw new Error(`input ${number}: ${(cause as Error).message}`, { cause });
  }
}
