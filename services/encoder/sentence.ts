import type { Vocabulary } from '../../models/embeddings/vocabulary.js';
import type { LabelledSentence } from '../../models/text/labelled-sentence.js';
import type { Token } from '../../models/text/token.js';

/** A labelled sentence as the model sees it, with the PHI entities that it names. */
export interface Sentence {
  /** [T], vocabulary ids. */
  readonly rows: Int32Array;
  /** [T] */
  readonly casing: Uint8Array;
  /** [T] */
  readonly labels: Uint8Array;
  readonly mentions: readonly Mention[];
}

/** One PHI entity in a sentence, from token `start` to before `end`. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** Its words in one spelling: who is written "ANA" here and "Ana" there is one entity. */
  readonly words: readonly string[];
}

/** As the model sees it, its words numbered by `vocabulary`. */
export function sentenceOf(
  { tokens, casing, labels }: LabelledSentence,
  vocabulary: Vocabulary,
): Sentence {
  const rows = Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text));
  const mentions = mentionsOf(labels, (token) => (tokens[token] as Token).text);
  return { rows, casing, labels, mentions };
}

/** The PHI entities of labels [T], spelled as `wordAt` spells each token. */
export function mentionsOf(labels: Uint8Array, wordAt: (token: number) => string): Mention[] {
  return entityRanges(labels).map(({ start, end }) => {
    const words = Array.from({ length: end - start }, (_, i) => wordAt(start + i));
    return { start, end, words: words.map((word) => word.normalize('NFKC').toLowerCase()) };
  });
}

/** Runs of B-t and its I-t; labels are numbered O, then B-t, I-t for each type. */
function entityRanges(labels: Uint8Array): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (let start = 0; start < labels.length; ) {
    const label = labels[start] as number;
    const inside = label % 2 === 0 ? label : label + 1;
    let end = start + 1;
    while (label !== 0 && labels[end] === inside) end++;
    if (label !== 0) ranges.push({ start, end });
    start = end;
  }
  return ranges;
}
