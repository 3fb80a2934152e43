/** Whether a word was read, by who knows no text: words are ranked by how far the update spans their vectors. */
import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { WeightUpdate } from '../../federation/weight-update.js';
import type { TextNetwork } from '../../networks/text-network.js';
import type { Observation } from '../../statistics/estimate.js';
import type { HeldText } from './held-text.js';
import { phiWordsOf } from './word-pairs.js';
import { WordSpan } from './word-span.js';

/**
 * Each PHI word of the texts once, against its nearest neighbour that is no word of theirs: 1 where it is ranked over
 * it, a half where both are ranked alike. A word without such a neighbour is left out.
 */
export function spannedWords(
  network: TextNetwork,
  update: WeightUpdate,
  texts: readonly HeldText[],
  vocabulary: Vocabulary,
  candidates: Candidates,
): Observation[] {
  const E = vocabulary.dimension;
  const span = new WordSpan(network, update, E);
  const score = (id: number) => span.score(vocabulary.vectors().subarray(id * E, (id + 1) * E));
  const there = idsOf(texts, vocabulary);
  const seen = new Set<number>();
  return texts.flatMap(({ documentIndex, text }) =>
    [...phiWordsOf([text], vocabulary)].flatMap((word) => {
      if (seen.has(word)) return [];
      seen.add(word);
      const other = candidates
        .of(word)
        .find((id) => !there.has(id) && vocabulary.wordOf(id) !== undefined);
      if (other === undefined) return [];
      const [own, others] = [score(word), score(other)];
      return [{ documentIndex, value: own === others ? 0.5 : Number(own > others) }];
    }),
  );
}

/** Vocabulary ids of all words of texts. */
function idsOf(texts: readonly HeldText[], vocabulary: Vocabulary): Set<number> {
  const sentences = texts.flatMap(({ text }) => text);
  return new Set(
    sentences.flatMap(({ tokens }) => tokens.map(({ text }) => vocabulary.idOf(text))),
  );
}
