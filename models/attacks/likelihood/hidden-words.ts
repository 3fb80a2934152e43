import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/examples.js';
import { pairSource } from '../../training/pairs.js';
import type { AuditTarget } from '../target.js';
import { someCandidates } from './pair-trials.js';

/** A sentence whose PHI words are hidden, up to so many of them; the rest of it is known. */
export interface HiddenWords {
  readonly example: TextExample;
  readonly places: readonly HiddenWord[];
}

export interface HiddenWord {
  readonly position: number;
  /** What the word may be, in random order; the word itself is one of them. */
  readonly options: Int32Array;
}

/**
 * The same sentence with each hidden word drawn uniformly from its options, which then say nothing of
 * it; of a word that was written, the list that was made for it gives some away.
 */
export function drawnUniformly({ example, places }: HiddenWords, random: Random): HiddenWords {
  const ids = example.ids.slice();
  for (const { position, options } of places)
    ids[position] = options[random.integer(options.length)];
  return { example: { ...example, ids }, places };
}

/** Test sentences with movable PHI in random order, `most` of them with `mostWords` hidden words. */
export function hiddenWords(
  { candidates, test }: AuditTarget,
  most: number,
  mostWords: number,
  random: Random,
): HiddenWords[] {
  const sentences = [...pairSource(test, candidates).positions];
  random.shuffle(sentences);
  return sentences.slice(0, most).map(([example, positions]) => {
    const chosen = [...positions];
    random.shuffle(chosen);
    const places = chosen
      .slice(0, mostWords)
      .sort((a, b) => a - b)
      .map((position) => {
        const options = [...someCandidates(candidates, example.ids[position], random)];
        random.shuffle(options);
        return { position, options: Int32Array.from(options) };
      });
    return { example, places };
  });
}
