import { setImmediate } from 'node:timers/promises';
import type { Progress } from '../../models/progress.js';
import type { Document } from '../../models/text/document.js';
import { type LabelledSentence, sentencesOf } from '../../models/text/labelled-sentence.js';
import type { EncodingModel } from './encoding-model.js';

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

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** The sentences of all documents, in order, and how many documents there were. */
export async function readSentences(
  documents: AsyncIterable<Document> | Iterable<Document>,
  model: Pick<EncodingModel, 'vocabulary' | 'scheme'>,
  { signal, progress }: ReadOptions = {},
): Promise<{ sentences: Sentence[]; documentCount: number }> {
  const sentences: Sentence[] = [];
  let documentCount = 0;
  for await (const document of documents) {
    signal?.throwIfAborted();
    for (const sentence of sentencesOf(document, model.scheme, documentCount)) {
      sentences.push(sentenceOf(sentence, model));
    }
    documentCount++;
    // Documents at hand come without a pause in which a server could answer.
    await setImmediate();
    progress?.({ step: 'read', done: documentCount, unit: 'documents' });
  }
  return { sentences, documentCount };
}

function sentenceOf(
  { tokens, casing, labels }: LabelledSentence,
  { vocabulary }: Pick<EncodingModel, 'vocabulary'>,
): Sentence {
  const rows = Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text));
  const mentions = entityRanges(labels).map(({ start, end }) => ({
    start,
    end,
    words: tokens.slice(start, end).map(({ text }) => text.normalize('NFKC').toLowerCase()),
  }));
  return { rows, casing, labels, mentions };
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
