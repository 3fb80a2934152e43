import {
  approximateRandomisation,
  type Outcomes,
  type RandomisationOptions,
} from '../statistics/approximate-randomisation.js';
import type { CountRow } from './count-columns.js';
import type { Tally } from './evaluate.js';
import { headlines } from './headlines.js';

/** One score of two systems on the same documents. */
export interface Compared {
  /** Its path in the evaluation, e.g. `token.binary.f1`. */
  readonly measure: string;
  readonly system: number;
  readonly versus: number;
  /** `system` less `versus`. */
  readonly difference: number;
  /** Of a difference at least as large between systems that are alike; not corrected for the number of measures. */
  readonly p: number;
}

/** All `headlines` of two systems whose tallies share their columns and their documents. */
export async function compareSystems(
  system: Tally,
  versus: Tally,
  options: RandomisationOptions,
): Promise<Compared[]> {
  const one = system.rows;
  const other = versus.rows;
  const scorer = system.scorer();
  const scores = (sample: readonly CountRow[]) => headlines(scorer(sample));
  const pairs = one.map((row, at): Outcomes<CountRow> => [row, other[at] as CountRow]);
  const p = await approximateRandomisation(
    pairs,
    (sample) => [...scores(sample).values()],
    options,
  );
  const versusScores = scores(other);
  return [...scores(one)].map(([measure, value], at) => {
    const versusValue = versusScores.get(measure) as number;
    return {
      measure,
      system: value,
      versus: versusValue,
      difference: value - versusValue,
      p: p[at] as number,
    };
  });
}
