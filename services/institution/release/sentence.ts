import {
  type Appearance,
  appearancesIn,
  isSharedWord,
  typeOfLabel,
} from '../../../models/certification/entity.js';
import type { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import type { LabelledSentence } from '../../../models/text/labelled-sentence.js';
import type { Token } from '../../../models/text/token.js';

/** A PHI entity in a sentence, its words in one spelling: "ANA" here and "Ana" there are one. */
export type Mention = Appearance<string>;

/** A labelled sentence as the model sees it, with the PHI entities that stand in it. */
export interface Sentence {
  /** [T], vocabulary ids. */
  readonly rows: Int32Array;
  /** [T] */
  readonly labels: Uint8Array;
  readonly mentions: readonly Mention[];
}

/** The sentences of one note as the model sees them, their words numbered by `vocabulary`. */
export function sentencesOfNote(
  sentences: readonly LabelledSentence[],
  vocabulary: Vocabulary,
): Sentence[] {
  const mentions = mentionsOf(
    sentences.map(({ labels, tokens }) => ({
      labels,
      wordAt: (token: number) => spelling((tokens[token] as Token).text),
    })),
  );
  return sentences.map(({ tokens, labels }, i) => {
    const rows = Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text));
    return { rows, labels, mentions: mentions[i] ?? [] };
  });
}

/** By sentence of one note, its PHI entities; `wordAt` gives the `spelling` of a token. */
export function mentionsOf(sentences: Parameters<typeof appearancesIn<string>>[0]): Mention[][] {
  return appearancesIn(sentences, isSharedWord);
}

/** The one spelling of a word. */
export function spelling(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The PHI types of labels [T]. */
export function typesOf(labels: Uint8Array): Set<number> {
  const types = new Set(Array.from(labels, typeOfLabel));
  types.delete(0);
  return types;
}
