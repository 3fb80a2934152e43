import type { Random } from '../../tensor/random.js';
import type { TextExample } from '../../training/data/examples.js';
import type { AuditTarget } from '../target.js';
import { isContentToken } from './content-words.js';

/** A content word that the attacker does not know in a sentence that it knows otherwise. */
export interface HiddenWord {
  readonly example: TextExample;
  readonly position: number;
}

type Notes = Pick<AuditTarget, 'test' | 'vocabulary'>;

/** One content word of each test sentence that has any among `words`; in random order, with `random`. */
export function hiddenWords(
  { test, vocabulary }: Notes,
  words: readonly number[],
  random?: Random,
): HiddenWord[] {
  const known = new Set(words);
  const hidden = test.flatMap((example) => {
    const positions = [...example.ids.keys()].filter(
      (t) =>
        known.has(vocabulary.uncased(example.ids[t])) && isContentToken(example, t, vocabulary),
    );
    if (positions.length === 0) return [];
    return { example, position: positions[random?.integer(positions.length) ?? 0] };
  });
  random?.shuffle(hidden);
  return hidden;
}

/** The share of the test notes' content tokens that `words` have. */
export function coverage({ test, vocabulary }: Notes, words: readonly number[]): number {
  const known = new Set(words);
  let all = 0;
  let inside = 0;
  for (const example of test)
    example.ids.forEach((id, position) => {
      if (!isContentToken(example, position, vocabulary)) return;
      all += 1;
      if (known.has(vocabulary.uncased(id))) inside += 1;
    });
  return inside / Math.max(1, all);
}
