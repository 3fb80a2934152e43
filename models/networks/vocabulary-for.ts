import type { Embeddings } from '../embeddings/embeddings.js';
import { Vocabulary } from '../embeddings/vocabulary.js';
import { type CharacterConfig, readsCharacters } from './character-config.js';

/** The words of some texts as networks of these configurations read them: with characters where one of them does. */
export function vocabularyFor(
  embeddings: Embeddings,
  ...networks: readonly (CharacterConfig | undefined)[]
): Vocabulary {
  const characters = networks.some((config) => config !== undefined && readsCharacters(config));
  return new Vocabulary(embeddings, { characters });
}
