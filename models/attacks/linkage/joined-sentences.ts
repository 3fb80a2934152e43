import { isPhi } from '../../certification/move.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Observation } from '../../statistics/estimate.js';
import type { TextExample } from '../../training/data/examples.js';
import type { PseudonymSources } from '../likelihood/pseudonym-sources.js';

/** How often an attacker takes two PHI tokens with one label, of one document, for the same word before it looks. */
const SAME_WORD = 0.1;

export interface JoinedSentence extends Observation {
  /** How often a sentence that is drawn among all others is of the same document. */
  readonly chance: number;
}

/**
 * Puts shuffled, pseudonymised sentences together again (Friedrich et al. 2019, section 9): for each sentence the one
 * other sentence that is likeliest to be of the same document, by the words that may stand behind the pseudonyms of
 * both. 1 where it is, a share where several are as likely. Only sentences count that hold a word to go by, and whose
 * document has another one; digits are not gone by, since any may stand for any.
 */
export function joinedSentences(
  shared: readonly TextExample[],
  sources: PseudonymSources,
  vocabulary: Pick<Vocabulary, 'isDigits'>,
): JoinedSentence[] {
  const sentences = shared
    .map((example) => ({ example, words: wordsOf(example, vocabulary) }))
    .filter(({ words }) => words.length > 0);
  const counts = new Map<number, number>();
  for (const { example } of sentences)
    counts.set(example.documentIndex, (counts.get(example.documentIndex) ?? 0) + 1);
  return sentences.flatMap(({ example: { documentIndex }, words }, own) => {
    const mates = (counts.get(documentIndex) ?? 0) - 1;
    if (mates === 0) return [];
    let best = Number.NEGATIVE_INFINITY;
    let [likeliest, right] = [0, 0];
    for (const [at, other] of sentences.entries()) {
      if (at === own) continue;
      const score = evidence(words, other.words, sources);
      if (score < best) continue;
      if (score > best) [best, likeliest, right] = [score, 0, 0];
      likeliest += 1;
      if (other.example.documentIndex === documentIndex) right += 1;
    }
    const chance = mates / (sentences.length - 1);
    return [{ documentIndex, value: right / likeliest, chance }];
  });
}

interface PhiWord {
  readonly id: number;
  readonly label: number;
}

function wordsOf(example: TextExample, vocabulary: Pick<Vocabulary, 'isDigits'>): PhiWord[] {
  return [...example.ids].flatMap((id, at) =>
    isPhi(example, at) && !vocabulary.isDigits(id)
      ? [{ id, label: example.labels[at] as number }]
      : [],
  );
}

/** The logarithm of how much likelier both are where some of their words are the same. */
function evidence(
  one: readonly PhiWord[],
  other: readonly PhiWord[],
  sources: PseudonymSources,
): number {
  let sum = 0;
  for (const { id, label } of one)
    for (const each of other)
      if (each.label === label)
        sum += Math.log(1 - SAME_WORD + SAME_WORD * sources.sameWord(id, each.id));
  return sum;
}
