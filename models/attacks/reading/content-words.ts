import { isSharedWord } from '../../certification/entity.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { TextExample } from '../../training/data/examples.js';

/** Whether a token says something and identifies nobody: no PHI, no number, no stop word, no punctuation. */
export function isContentToken(
  { ids, labels }: Pick<TextExample, 'ids' | 'labels'>,
  position: number,
  vocabulary: Vocabulary,
): boolean {
  const word = vocabulary.spelling(ids[position]);
  return labels[position] === 0 && word !== undefined && isSharedWord(word);
}

/** The `most` content words that stand most often in the notes, whatever their casing, the most frequent first. */
export function contentWords(
  examples: readonly TextExample[],
  vocabulary: Vocabulary,
  most: number,
): number[] {
  const counts = new Map<number, number>();
  for (const example of examples)
    example.ids.forEach((id, position) => {
      if (!isContentToken(example, position, vocabulary)) return;
      const word = vocabulary.uncased(id);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  return [...counts.keys()]
    .sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
    .slice(0, most);
}
