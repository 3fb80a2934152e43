/** The four classes of words that PHICON replaces by others of like meaning. */
export const WORD_CLASSES = ['noun', 'verb', 'adjective', 'adverb'] as const;
export type WordClass = (typeof WORD_CLASSES)[number];

/** A word of a sentence that may be replaced, or have another word put before it. */
export interface ClassedWord {
  /** In lower case. */
  readonly word: string;
  readonly class: WordClass;
  /** As it stands in a dictionary; the word itself where that is not known. */
  readonly lemma: string;
  /** The tagger's own class, which tells a plural or a tense; empty where it has none. */
  readonly tag: string;
}

/** What context augmentation knows of a language. */
export interface Lexicon {
  /**
   * [T] of a sentence's T tokens, undefined for those that are left alone: stop words, forms of be and have,
   * whatever is not written in small letters, and what is of no class.
   */
  classesOf(tokens: readonly string[]): readonly (ClassedWord | undefined)[];
  /** By `keyOf`, words that may stand for each; words that none can stand for are left out. */
  substitutes(
    words: Iterable<ClassedWord>,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** One word in one form of one class. */
export function keyOf({ word, class: wordClass, tag }: ClassedWord): string {
  return `${wordClass} ${tag} ${word}`;
}

/** Words of a language are written in small letters, and in two at least. */
export function isCommonWord(token: string): boolean {
  return /^\p{Ll}{2,}$/u.test(token);
}
