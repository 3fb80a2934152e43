import type { Vocabulary } from '../embeddings/vocabulary.js';
import * as tf from '../tensor/tf.js';
import { casingOf } from '../text/casing.js';
import type { Span } from '../text/document.js';
import { decodeLabels } from '../text/iob2.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { splitSentences } from '../text/sentence-splitter.js';
import type { Token } from '../text/token.js';
import { tokenise } from '../text/tokeniser.js';
import type { Deidentifier } from './deidentifier.js';
import type { Representation } from './representation.js';

const BATCH_SENTENCES = 64;

/** All that finding PHI in text needs. */
export interface Tagger {
  readonly deidentifier: Deidentifier;
  readonly vocabulary: Vocabulary;
  readonly scheme: LabelScheme;
  /** The de-identifier's input is f(E(x)), noise off, since nothing leaves here; without it, E(x). */
  readonly representation?: Representation;
}

/** The PHI spans of one text, in order. */
export function tag(text: string, tagger: Tagger): Span[] {
  const tokens = tokenise(text);
  const sentences = splitSentences(text, tokens).sort((a, b) => a.length - b.length);
  const spans: Span[] = [];
  for (let from = 0; from < sentences.length; from += BATCH_SENTENCES) {
    spans.push(...tagSentences(sentences.slice(from, from + BATCH_SENTENCES), tagger));
  }
  return spans.sort((a, b) => a.start - b.start);
}

function tagSentences(sentences: readonly (readonly Token[])[], tagger: Tagger): Span[] {
  const { deidentifier, vocabulary, scheme, representation } = tagger;
  const lengths = Int32Array.from(sentences, (sentence) => sentence.length);
  const steps = Math.max(...lengths);
  const ids = new Int32Array(sentences.length * steps).fill(-1);
  const casing = new Uint8Array(sentences.length * steps);
  sentences.forEach((sentence, row) => {
    sentence.forEach(({ text }, t) => {
      ids[row * steps + t] = vocabulary.idOf(text);
      casing[row * steps + t] = casingOf(text);
    });
  });
  const labels = tf.tidy(() => {
    const x = (representation ?? deidentifier).embed(vocabulary, ids, steps); // [B, T, E]
    const inputs = representation ? representation.mean(x, lengths) : x; // [B, T, D]
    return deidentifier.decode(deidentifier.emissions(inputs, casing, lengths), lengths);
  });
  return sentences.flatMap((sentence, row) => {
    const own = Uint8Array.from(labels.subarray(row * steps, row * steps + sentence.length));
    return decodeLabels(sentence, own, scheme);
  });
}
