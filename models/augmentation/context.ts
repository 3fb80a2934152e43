/** Context augmentation of Yue and Zhou 2020 (PHICON, section 2): sentences that hold PHI, in other words. */
import type { Draws } from '../surrogates/draws.js';
import type { Document } from '../text/document.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { type LabelledSentence, sentencesOf } from '../text/labelled-sentence.js';
import type { Token } from '../text/token.js';
import { type ClassedWord, keyOf, type Lexicon, WORD_CLASSES, type WordClass } from './lexicon.js';
import { edited, type TextEdit } from './text-edits.js';

/**
 * Of the words of each class that can be replaced, and of the places that a word can be put into, the share that is,
 * rounded down, and one at least: that of the authors' code for words, which puts others into all places; the paper
 * gives none.
 */
const SHARE = 0.9;

/** A token that is no PHI, and what its language has on it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly classed: ClassedWord;
  /** The class of the word before it, where that is no PHI and has one; within a sentence a capital makes a noun. */
  readonly after: WordClass | undefined;
}

/** The words that stand for those of some documents, and the adverbs and adjectives to insert. */
export interface ContextWords {
  readonly lexicon: Lexicon;
  readonly substitutes: ReadonlyMap<string, readonly string[]>;
  readonly inserted: Readonly<Record<'adverb' | 'adjective', readonly string[]>>;
}

/**
 * What the sentences of these documents can be changed by. Words that are PHI somewhere in them stand for none,
 * and adverbs and adjectives that are inserted are those that stand in them as no PHI.
 */
export async function contextWords(
  documents: readonly Document[],
  scheme: LabelScheme,
  lexicon: Lexicon,
  signal?: AbortSignal,
): Promise<ContextWords> {
  const phi = new Set<string>();
  const classed = new Map<string, ClassedWord>();
  for (const document of documents)
    for (const sentence of sentencesOf(document, scheme, 0)) {
      sentence.tokens.forEach(({ text }, t) => {
        if ((sentence.labels[t] as number) > 0) phi.add(text.toLowerCase());
      });
      for (const place of placesOf(sentence, lexicon))
        classed.set(keyOf(place.classed), place.classed);
    }
  const found = await lexicon.substitutes(classed.values(), signal);
  const substitutes = [...found].flatMap(([key, words]) => {
    const free = words.filter((word) => !phi.has(word));
    return free.length > 0 ? [[key, free] as const] : [];
  });
  const all = (wanted: WordClass) => {
    const words = [...classed.values()].filter(
      (each) => each.class === wanted && !isCompared(each),
    );
    return [...new Set(words.map(({ word }) => word))].filter((word) => !phi.has(word)).sort();
  };
  const inserted = { adverb: all('adverb'), adjective: all('adjective') };
  return { lexicon, substitutes: new Map(substitutes), inserted };
}

/**
 * The document with each sentence that holds PHI in other words: by a coin, either synonyms stand in it (SR) or
 * adverbs before its verbs and adjectives and adjectives before its nouns are inserted (RI). Its sentences are
 * stated, so that labels stay with their tokens; no PHI, form of be or have, or word with a capital changes.
 */
export function inOtherWords(
  document: Document,
  scheme: LabelScheme,
  words: ContextWords,
  draws: Draws,
): Document {
  const sentences = sentencesOf(document, scheme, 0);
  const edits = sentences.filter(holdsPhi).flatMap((sentence) => {
    const places = placesOf(sentence, words.lexicon);
    return draws.integer(2) === 0
      ? replacements(places, words, draws)
      : insertions(places, words, draws);
  });
  return edited({ ...document, sentences: document.sentences ?? startsOf(sentences) }, edits);
}

/** A document that states where its sentences begin, so that a change within one moves no boundary. */
export function withStatedSentences(document: Document, scheme: LabelScheme): Document {
  if (document.sentences) return document;
  return { ...document, sentences: startsOf(sentencesOf(document, scheme, 0)) };
}

export function holdsPhi({ labels }: { readonly labels: Uint8Array }): boolean {
  return labels.some((label) => label > 0);
}

/** `better`, which stands before nothing that a plain form stands before. */
function isCompared({ tag }: ClassedWord): boolean {
  return /^(JJ|RB)[RS]$/.test(tag);
}

function startsOf(sentences: readonly LabelledSentence[]): number[] {
  return sentences.flatMap(({ tokens }) => tokens[0]?.start ?? []);
}

function placesOf({ tokens, labels }: LabelledSentence, { classesOf }: Lexicon): Place[] {
  const classes = classesOf(tokens.map(({ text }) => text));
  const isOpen = (t: number) => labels[t] === 0;
  const isNamed = (t: number) => t > 0 && /^\p{Lu}/u.test((tokens[t] as Token).text);
  const classBefore = (t: number) =>
    isOpen(t - 1) ? (classes[t - 1]?.class ?? (isNamed(t - 1) ? 'noun' : undefined)) : undefined;
  return tokens.flatMap(({ start, end }, t) => {
    const classed = isOpen(t) ? classes[t] : undefined;
    return classed ? [{ start, end, classed, after: classBefore(t) }] : [];
  });
}

/** SR, of each class apart. */
function replacements(
  places: readonly Place[],
  { substitutes }: ContextWords,
  draws: Draws,
): TextEdit[] {
  const able = places.filter(({ classed }) => substitutes.has(keyOf(classed)));
  const chosen = WORD_CLASSES.flatMap((each) =>
    most(
      able.filter(({ classed }) => classed.class === each),
      draws,
    ),
  );
  return inOrder(chosen).map(({ start, end, classed }) => {
    const text = drawn(substitutes.get(keyOf(classed)) ?? [], draws);
    return { start, end, text };
  });
}

/** RI. No adjective before a noun that has a noun, a name or an adjective before it, as in the authors' code. */
function insertions(
  places: readonly Place[],
  { inserted }: ContextWords,
  draws: Draws,
): TextEdit[] {
  const able = places.filter(
    ({ classed, after }) =>
      before(classed, inserted).length > 0 &&
      !(classed.class === 'noun' && (after === 'noun' || after === 'adjective')),
  );
  return inOrder(most(able, draws)).map(({ start, classed }) => {
    const text = `${drawn(before(classed, inserted), draws)} `;
    return { start, end: start, text };
  });
}

function before({ class: wordClass }: ClassedWord, words: ContextWords['inserted']) {
  if (wordClass === 'adverb') return [];
  return wordClass === 'noun' ? words.adjective : words.adverb;
}

function most(places: readonly Place[], draws: Draws): Place[] {
  const left = [...places];
  const count = Math.max(1, Math.floor(SHARE * left.length));
  while (left.length > count) left.splice(draws.integer(left.length), 1);
  return left;
}

function inOrder(places: readonly Place[]): Place[] {
  return [...places].sort((a, b) => a.start - b.start);
}

function drawn(words: readonly string[], draws: Draws): string {
  return words[draws.integer(words.length)] as string;
}
