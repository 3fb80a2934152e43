import { percent } from '../../../platform/percent-text.js';

/** What a certified limit says of entities that were encoded as they are, and of how many of them. */
export function limitText(limit: number): string {
  return (
    `${percent(limit)}: of 19 in 20 entities of every type, among those of each portion of each job that have a word ` +
    'that can move, no adversary is right more often whether it is itself or one of its near words, in the mean over ' +
    'these, by the vectors alone. What does not leave is not in this number, and guessing is right in 50.0 %.'
  );
}
