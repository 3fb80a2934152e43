import type { Candidates } from '../../embeddings/candidates.js';
import type { Vocabulary } from '../../embeddings/vocabulary.js';
import type { LabelledText } from '../../networks/text-network.js';
import type { Random } from '../../tensor/random.js';
import { CASINGS, casingOf } from '../../text/casing.js';

/** A text, and the same with one PHI word moved to one of its nearest; where it stands, its labels are the same. */
export interface WordPair {
  readonly documentIndex: number;
  readonly text: LabelledText;
  readonly twin: LabelledText;
  /** Vocabulary ids of the word that stands there, and of the one that it is moved to. */
  readonly word: number;
  readonly moved: number;
}

/**
 * At most `most` pairs of a text, each of another PHI token that can move, drawn by chance; it never moves to
 * itself. `documentIndex` is the text's own.
 */
export function wordPairs(
  text: LabelledText,
  documentIndex: number,
  vocabulary: Vocabulary,
  candidates: Candidates,
  most: number,
  random: Random,
): WordPair[] {
  const places = text.flatMap(({ tokens, labels }, sentence) =>
    tokens.flatMap((token, position) => {
      if (labels[position] === 0) return [];
      const word = vocabulary.idOf(token.text);
      const others = [...candidates.of(word)].filter(
        (id) => id !== word && vocabulary.wordOf(id) !== undefined,
      );
      return others.length > 0 ? [{ sentence, position, word, others }] : [];
    }),
  );
  random.shuffle(places);
  return places.slice(0, most).map(({ sentence, position, word, others }) => {
    const moved = others[random.integer(others.length)] as number;
    const twin = withToken(text, sentence, position, vocabulary.wordOf(moved) as string);
    return { documentIndex, text, twin, word, moved };
  });
}

/** Vocabulary ids of all PHI words of texts. */
export function phiWordsOf(texts: readonly LabelledText[], vocabulary: Vocabulary): Set<number> {
  const words = new Set<number>();
  for (const { tokens, labels } of texts.flat())
    tokens.forEach((token, position) => {
      if (labels[position] !== 0) words.add(vocabulary.idOf(token.text));
    });
  return words;
}

/** The text with another word, in the casing of the one that stood there. */
function withToken(
  text: LabelledText,
  sentence: number,
  position: number,
  word: string,
): LabelledText {
  return text.map((each, at) => {
    if (at !== sentence) return each;
    const tokens = each.tokens.map((token, i) =>
      i === position ? { ...token, text: inCasingOf(token.text, word) } : token,
    );
    return { ...each, tokens };
  });
}

function inCasingOf(like: string, word: string): string {
  switch (CASINGS[casingOf(like)]) {
    case 'all upper':
      return word.toUpperCase();
    case 'initial upper':
      return word.slice(0, 1).toUpperCase() + word.slice(1);
    default:
      return word;
  }
}
