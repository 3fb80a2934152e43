import { describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../../../models/embeddings/candidates.js';
import { embeddingsFromRows } from '../../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../../models/embeddings/vocabulary.js';
import { runStatistics, statisticsLine } from '../../../../models/training/data/phi-statistics.js';
import { phiWords } from '../../../../models/training/recipes.js';

const WORDS = ['ana', 'berta', 'mariana', 'the', 'of', '-', 'fever', '12'];
const vocabulary = new Vocabulary(
  embeddingsFromRows(
    WORDS,
    Float32Array.from({ length: WORDS.length * 3 }, (_, i) => Math.cos(i * i + 1)),
  ),
);

/** A sentence whose words in capitals are PHI. */
function sentence(text: string, documentIndex = 0) {
  const words = text.split(' ');
  return {
    ids: Int32Array.from(words, (word) => vocabulary.idOf(word.toLowerCase())),
    labels: Uint8Array.from(words, (word) => (word === word.toLowerCase() ? 0 : 1)),
    documentIndex,
  };
}

describe('the statistics of a run', () => {
  const train = [sentence('fever of ANA'), sentence('THE fever OF XYZZY'), sentence('fever')];
  const validation = [sentence('BERTA')];

  test('count PHI tokens, those that never move and why, and the sentences that make pairs', async () => {
    const words = phiWords(train, validation);
    const candidates = await findCandidates(vocabulary, words, 2);
    const statistics = runStatistics({ train, validation }, words, candidates, vocabulary);
    expect(statistics.train).toEqual({
      sentences: 3,
      pairSentences: 1,
      tokens: 8,
      phiTokens: 4,
      immovable: 3,
      immovableBy: { 'stop word': 2, punctuation: 0, 'unknown vector': 1, 'zero vector': 0 },
    });
    expect(statistics.validation).toMatchObject({ phiTokens: 1, immovable: 0, pairSentences: 1 });
    expect(statisticsLine(statistics)).toBe(
      'PHI to train on: 4 tokens, 3 of them immovable (stop word 2, unknown vector 1); ' +
        '1 of 3 sentences make pairs, N = 2',
    );
  });

  test.each([1, 2, 4])('show the lists cut to N = %d', async (N) => {
    const words = phiWords(train, validation);
    const candidates = await findCandidates(vocabulary, words, N);
    const { lists, neighbours } = runStatistics(
      { train, validation },
      words,
      candidates,
      vocabulary,
    );
    expect({ neighbours, ...lists }).toEqual({
      neighbours: N,
      words: 2,
      shortest: N,
      longest: N,
      containing: candidates.of(vocabulary.idOf('ana')).includes(vocabulary.idOf('mariana'))
        ? 0.5
        : 0,
    });
  });
});
