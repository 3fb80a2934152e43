/** Which of two words stood in a text of an update, by who knows the rest of that text. */
import type { LabelledText, TextNetwork } from '../../networks/text-network.js';
import { descentOf } from './descent.js';
import type { MatchedFilter } from './matched-filter.js';
import type { WordPair } from './word-pairs.js';

export interface ToldWord {
  readonly documentIndex: number;
  /** Of each filter: 1 where it takes the word that stood there, a half where it cannot say. */
  readonly values: readonly number[];
}

/** The network has the weights that the update began with. */
export function toldWords(
  filters: readonly MatchedFilter[],
  pairs: readonly WordPair[],
  network: TextNetwork,
  signal?: AbortSignal,
): ToldWord[] {
  const descents = new Map<LabelledText, Float32Array>();
  return pairs.map(({ documentIndex, text, twin }) => {
    signal?.throwIfAborted();
    const stood = descents.get(text) ?? descentOf(network, text);
    descents.set(text, stood);
    const other = descentOf(network, twin);
    const values = filters.map((filter) => {
      const score = filter.likelier(stood, other);
      return score === 0 ? 0.5 : Number(score > 0);
    });
    return { documentIndex, values };
  });
}
