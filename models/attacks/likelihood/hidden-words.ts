import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import { pairSource } from '../../training/data/pairs.js';
import type { AuditTarget } from '../target.js';
import { someCandidates } from './pair-trials.js';

/** A sentence some of whose PHI words are hidden from the attacker, who knows the rest. */
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
 * The same sentence with each hidden word replaced by one that is drawn uniformly from its options. Of
 * such a word the options tell nothing. Of the word that was written they do: they are its neighbours,
 * so it lies in their middle.
 */
export function drawUniformly({ example, places }: HiddenWords, random: Random): HiddenWords {
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
