import { isPhi } from '../../certification/move.js';
import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { Observation } from '../../statistics/estimate.js';
import type { TextExample } from '../../training/data/examples.js';
import type { PseudonymSources } from './pseudonym-sources.js';

/**
 * Names the words of documents that were put together again (Friedrich et al. 2019, section 9: the original from
 * overlapping neighbour spaces): of each word that occurs at least `least` times in a document, all of its pseudonyms
 * there are seen, and the likeliest word behind all of them is taken. 1 where it is the word, a share where several are
 * as likely. The attacker is told which pseudonyms are of one word, so that this is what it can come to at most.
 * `shared` are the sentences of `originals`, in the same order.
 */
export function overlappingNeighbours(
  originals: readonly TextExample[],
  shared: readonly TextExample[],
  sources: PseudonymSources,
  { vocabulary, candidates }: { readonly vocabulary: Vocabulary; readonly candidates: Candidates },
  least = 2,
): Observation[] {
  const seen = new Map<string, { documentIndex: number; word: number; pseudonyms: number[] }>();
  originals.forEach((example, sentence) => {
    const { documentIndex } = example;
    example.ids.forEach((id, at) => {
      if (!isPhi(example, at) || vocabulary.isDigits(id) || !candidates.isMovable(id)) return;
      const word = vocabulary.uncased(id);
      const key = `${documentIndex} ${word}`;
      const own = seen.get(key) ?? { documentIndex, word, pseudonyms: [] };
      own.pseudonyms.push(shared[sentence]?.ids[at] as number);
      seen.set(key, own);
    });
  });
  return [...seen.values()]
    .filter(({ pseudonyms }) => pseudonyms.length >= least)
    .map(({ documentIndex, word, pseudonyms }) => {
      const likelihoods = sources.likelihoods(pseudonyms);
      const best = Math.max(...likelihoods.values());
      const likeliest = [...likelihoods].filter(([, each]) => each >= best - 1e-9);
      const isAmong = likeliest.some(([each]) => each === word);
      return { documentIndex, value: isAmong ? 1 / likeliest.length : 0 };
    });
}
