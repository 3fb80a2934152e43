import { type Embeddings, rowVector } from '../embeddings/embeddings.js';
import { nearestRows } from '../embeddings/neighbours.js';
import { stopWords } from '../embeddings/stop-words.js';
import { type ClassedWord, isCommonWord, keyOf, type Lexicon, type WordClass } from './lexicon.js';
import { areForms, LEAST_COSINE, MOST_SUBSTITUTES } from './like-vectors.js';

/** Looked at, since most neighbours by subwords are forms of the word itself. */
const NEIGHBOURS = 40;

/** Words in -ar are adjectives as often (`pulmonar`), but for those after one of these. */
const INFINITIVE = 'infinitive';
const BEFORE_INFINITIVES: ReadonlySet<string> = new Set([
  ...['a', 'al', 'de', 'en', 'hasta', 'para', 'por', 'puede', 'pueden', 'sin', 'tras'],
]);

/** Endings that tell a class, each of a group of forms; the first that fits. */
const ENDINGS: readonly (readonly [RegExp, WordClass, string])[] = [
  [/..mente$/, 'adverb', 'mente'],
  [/..(ción|sión|tud|dad|miento|ncia|aje|eza|ismo)$/, 'noun', 'singular'],
  [/..(ciones|siones|tudes|dades|mientos|ncias|ajes|ismos)$/, 'noun', 'plural'],
  [/..(oso|ivo|ario|orio)$/, 'adjective', 'o'],
  [/..(osa|iva|aria|oria)$/, 'adjective', 'a'],
  [/..(osos|ivos|arios|orios)$/, 'adjective', 'os'],
  [/..(osas|ivas|arias|orias)$/, 'adjective', 'as'],
  [/..(able|ible)$/, 'adjective', 'e'],
  [/..(ables|ibles)$/, 'adjective', 'es'],
  [/..(ado|ido)$/, 'verb', 'participle, o'],
  [/..(ada|ida)$/, 'verb', 'participle, a'],
  [/..(ados|idos)$/, 'verb', 'participle, os'],
  [/..(adas|idas)$/, 'verb', 'participle, as'],
  [/..(ando|iendo)$/, 'verb', 'gerund'],
  [/...(ar|er|ir)$/, 'verb', INFINITIVE],
  [/..(aron|ieron)$/, 'verb', 'past, plural'],
  [/..ó$/, 'verb', 'past'],
  [/..aba$/, 'verb', 'imperfect'],
];
/** After these a word with no such ending is a noun. */
const DETERMINERS: ReadonlyMap<string, string> = new Map([
  ...['el', 'un', 'del', 'al', 'este', 'dicho'].map((word) => [word, 'o'] as const),
  ...['la', 'una', 'esta', 'dicha'].map((word) => [word, 'a'] as const),
  ...['los', 'unos', 'estos', 'dichos'].map((word) => [word, 'os'] as const),
  ...['las', 'unas', 'estas', 'dichas'].map((word) => [word, 'as'] as const),
]);
/** Of ser, estar, haber and tener, those that are no stop words. */
const LEFT_ALONE =
  /^(ser|siendo|sido|est(ar|ando|ad[ao]s?|aba[ns]?|uv.*)|hab(er|iendo|id[ao]s?|ía.*)|hubi.*|ten(er|iendo|id[ao]s?|ía.*)|tuv.*)$/;

/**
 * Spanish without a tagger and without a WordNet: endings and articles tell the class, and the nearest words
 * by vector with the same ending stand for what WordNet would give.
 */
export function spanishLexicon(embeddings: Embeddings): Lexicon {
  const stops = stopWords(['es']);
  const isLeftAlone = (word: string) =>
    !isCommonWord(word) || stops.has(word) || LEFT_ALONE.test(word);
  return {
    classesOf: (tokens) =>
      tokens.map((word, t): ClassedWord | undefined => {
        if (isLeftAlone(word)) return undefined;
        const told = classOf(word, tokens[t - 1]?.toLowerCase() ?? '');
        return told && { word, lemma: word, ...told };
      }),
    async substitutes(words, signal) {
      const distinct = new Map<string, ClassedWord>();
      for (const each of words) if (embeddings.row(each.word) >= 0) distinct.set(keyOf(each), each);
      const { matrix, dimension } = embeddings;
      const queries = new Float32Array(distinct.size * dimension);
      [...distinct.values()].forEach(({ word }, i) => {
        queries.set(rowVector(matrix, dimension, embeddings.row(word)), i * dimension);
      });
      const found = new Map<string, readonly string[]>();
      const entries = [...distinct][Symbol.iterator]();
      for await (const { rows, cosines } of nearestRows(matrix, queries, dimension, NEIGHBOURS, {
        signal,
      })) {
        const [key, { word, class: wordClass, tag }] = entries.next().value as [
          string,
          ClassedWord,
        ];
        const near = [...rows]
          .filter((_, i) => (cosines[i] as number) >= LEAST_COSINE)
          .map((row) => embeddings.words[row] as string)
          .filter((other) => !isLeftAlone(other) && !areForms(word, other))
          .filter((other) => hasForm(other, wordClass, tag))
          .slice(0, MOST_SUBSTITUTES);
        if (near.length > 0) found.set(key, near);
      }
      return found;
    },
  };
}

type Told = Pick<ClassedWord, 'class' | 'tag'>;

function classOf(word: string, before: string | undefined): Told | undefined {
  const [, ofEnding, tag] = ENDINGS.find(([ending]) => ending.test(word)) ?? [];
  const isUnsure = tag === INFINITIVE && before !== undefined && !BEFORE_INFINITIVES.has(before);
  if (ofEnding && tag && !isUnsure) return { class: ofEnding, tag };
  const determined = before === undefined ? undefined : DETERMINERS.get(before);
  return determined === undefined ? undefined : { class: 'noun', tag: `after ${determined}` };
}

/** A noun that its article told may be of any ending that tells no other class, in its number. */
function hasForm(word: string, wordClass: WordClass, tag: string): boolean {
  const told = classOf(word, undefined);
  if (!tag.startsWith('after ')) return told?.class === wordClass && told.tag === tag;
  return told === undefined && word.endsWith('s') === tag.endsWith('s');
}
