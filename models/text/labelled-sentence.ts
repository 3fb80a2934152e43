import type { Document } from './document.js';
import { encodeLabels } from './iob2.js';
import type { LabelScheme } from './label-scheme.js';
import { splitSentences } from './sentence-splitter.js';
import type { Token } from './token.js';
import { tokenise } from './tokeniser.js';

/** What a model sees of a sentence of T tokens, still with its text. */
export interface LabelledSentence {
  /** Which document of its corpus it comes from. */
  readonly documentIndex: number;
  readonly tokens: readonly Token[];
  /** [T], ids of the scheme's `labels`. */
  readonly labels: Uint8Array;
}

/** The sentences of a document, in order: its file's own where it states them. Throws `label-unknown` as `encodeLabels` does. */
export function sentencesOf(
  document: Document,
  scheme: LabelScheme,
  documentIndex: number,
): LabelledSentence[] {
  const tokens = tokenise(document.text);
  const labels = encodeLabels(tokens, document.spans, scheme);
  let from = 0;
  return splitSentences(document.text, tokens, document.sentences).map((sentence) => {
    const to = from + sentence.length;
    const labelled = {
      documentIndex,
      tokens: sentence,
      labels: labels.slice(from, to),
    };
    from = to;
    return labelled;
  });
}
