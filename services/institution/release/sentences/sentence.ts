import {
  type Appearance,
  appearancesIn,
  isSharedWord,
} from '../../../../models/certification/entity.js';

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

/** By sentence of one note, its PHI entities; `wordAt` gives the `spelling` of a token. */
export function mentionsOf(sentences: Parameters<typeof appearancesIn<string>>[0]): Mention[][] {
  return appearancesIn(sentences, isSharedWord);
}

/** The one spelling of a word. */
export function spelling(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
