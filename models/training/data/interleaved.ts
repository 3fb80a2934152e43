import { sum } from '../../../platform/sum.js';
import { Random } from '../../tensor/random.js';

/** So many values, in an order of their own. */
export interface CountedStream<T> {
  readonly count: number;
  readonly values: AsyncGenerator<T>;
}

/**
 * The values of all streams in an order that follows from `seed`: of those that keep the order of each stream, all
 * are as likely. Every stream is read to its end, so that one that breaks off there is found out.
 */
export async function* interleaved<T>(
  streams: readonly CountedStream<T>[],
  seed: number,
): AsyncGenerator<T> {
  const random = new Random(seed);
  const left = streams.map(({ count }) => count);
  try {
    for (let all = sum(left); all > 0; all--) {
      const at = placeOf(random.integer(all), left);
      left[at] = (left[at] as number) - 1;
      const { value, done } = await (streams[at] as CountedStream<T>).values.next();
      if (!done) yield value;
    }
    for (const { values } of streams) await values.next();
  } finally {
    for (const { values } of streams) await values.return(undefined);
  }
}

/** In which of the counts a number below their sum falls. */
function placeOf(number: number, counts: readonly number[]): number {
  let before = 0;
  return counts.findIndex((count) => {
    before += count;
    return number < before;
  });
}
