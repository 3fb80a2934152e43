import { setImmediate } from 'node:timers/promises';
import type { Vocabulary } from '../embeddings/vocabulary.js';
import * as tf from '../tensor/tf.js';
import { type Block, blocksOf } from '../text/blocks.js';
import type { Span } from '../text/document.js';
import { decodeLabels } from '../text/iob2.js';
import type { LabelScheme } from '../text/label-scheme.js';
import { splitSentences } from '../text/sentence-splitter.js';
import type { Token } from '../text/token.js';
import { tokenise } from '../text/tokeniser.js';
import type { Deidentifier } from './deidentifier.js';
import { labelPosteriors, mostLikelyLabels, pooledCrf, pooledEmissions } from './opinion-pool.js';
import type { Representation } from './representation.js';

const BATCH_SENTENCES = 64;
/** Every token's label is O or a type's B or I. */
const OUTSIDE = 0;

/** A de-identifier with what it reads of a text. */
export interface Reader {
  readonly deidentifier: Deidentifier;
  readonly vocabulary: Vocabulary;
  /** The de-identifier's input is f(E(x)), noise off, since nothing leaves here; without it, E(x). */
  readonly representation?: Pick<Representation, 'embed' | 'noiseless'>;
}

/** All that finding PHI in text needs. */
export interface Tagger extends Reader {
  readonly scheme: LabelScheme;
  /** Others of the same scheme, which decide with it, each with the same weight (opinion-pool.ts). */
  readonly beside?: readonly Reader[] | undefined;
}

export interface ScoredSpan extends Span {
  /** The least posterior that a token of it is of its type. */
  readonly confidence: number;
}

/** A token with the posterior that it is PHI. */
export interface ScoredToken extends Token {
  readonly phi: number;
}

export interface TagOptions {
  /**
   * A token is PHI where its posterior is at least this: below 0.5 more is found, above it less.
   * Without it the most likely labels of the whole sentence decide (Viterbi).
   */
  readonly threshold?: number | undefined;
  /** The offsets at which sentences begin, where they are known: `Document.sentences`. */
  readonly sentences?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

type ReadOptions = Pick<TagOptions, 'sentences' | 'signal'>;

interface TaggedSentence {
  readonly tokens: readonly Token[];
  /** [T], the most likely labels. */
  readonly labels: Uint8Array;
  /** [T·L] */
  readonly posterior: Float32Array;
}

/** The PHI spans of one text, in order. */
export function tag(
  text: string,
  tagger: Tagger,
  { threshold, sentences }: TagOptions = {},
): ScoredSpan[] {
  return inBatches(text, sentences)
    .flatMap((batch) => tagSentences(batch, tagger))
    .flatMap((sentence) => spansOf(sentence, tagger.scheme, threshold))
    .sort((a, b) => a.start - b.start);
}

/** As `tag`, in memory that does not grow with the text, and with pauses for other work. */
export async function* tagLong(
  text: string,
  tagger: Tagger,
  { threshold, ...options }: TagOptions = {},
): AsyncGenerator<ScoredSpan> {
  for await (const { start, sentences } of taggedBlocks(text, tagger, options)) {
    const spans = sentences
      .flatMap((sentence) => spansOf(sentence, tagger.scheme, threshold))
      .sort((a, b) => a.start - b.start);
    for (const span of spans) yield { ...span, start: start + span.start, end: start + span.end };
  }
}

/** Every token of a text with the posterior that it is PHI, block by block. */
export async function* scoreTokens(
  text: string,
  tagger: Tagger,
  options: ReadOptions = {},
): AsyncGenerator<ScoredToken> {
  const L = tagger.scheme.labels.length;
  for await (const { start, sentences } of taggedBlocks(text, tagger, options)) {
    for (const { tokens, posterior } of sentences) {
      for (const [t, token] of tokens.entries()) {
        const phi = phiPosterior(posterior, t, L);
        yield { ...token, start: start + token.start, end: start + token.end, phi };
      }
    }
  }
}

async function* taggedBlocks(
  text: string,
  tagger: Tagger,
  { sentences: starts, signal }: ReadOptions,
): AsyncGenerator<{ start: number; sentences: TaggedSentence[] }> {
  let passed = 0;
  for (const block of blocksOf(text)) {
    const sentences: TaggedSentence[] = [];
    const within = starts && startsWithin(block, starts, passed);
    passed += within?.length ?? 0;
    for (const batch of inBatches(block.text, within)) {
      signal?.throwIfAborted();
      sentences.push(...tagSentences(batch, tagger));
      await setImmediate();
    }
    yield { start: block.start, sentences };
  }
}

/** Of a block, those of the whole text of which so many are of blocks before it. */
function startsWithin(block: Block, starts: readonly number[], passed: number): number[] {
  const end = block.start + block.text.length;
  let to = passed;
  while ((starts[to] ?? Infinity) < end) to++;
  return starts.slice(passed, to).map((start) => start - block.start);
}

function inBatches(text: string, starts?: readonly number[]): Token[][][] {
  const split = splitSentences(text, tokenise(text), starts);
  const sentences = split.sort((a, b) => a.length - b.length);
  const batches: Token[][][] = [];
  for (let from = 0; from < sentences.length; from += BATCH_SENTENCES)
    batches.push(sentences.slice(from, from + BATCH_SENTENCES));
  return batches;
}

function tagSentences(sentences: readonly (readonly Token[])[], tagger: Tagger): TaggedSentence[] {
  const readers = [tagger, ...(tagger.beside ?? [])];
  const lengths = Int32Array.from(sentences, (sentence) => sentence.length);
  const emissions = tf.tidy(() =>
    pooledEmissions(readers.map((reader) => emissionsOf(sentences, lengths, reader))),
  );
  try {
    const crf = pooledCrf(readers.map(({ deidentifier }) => deidentifier.crfValues()));
    const labels = mostLikelyLabels(emissions, lengths, crf);
    const posteriors = labelPosteriors(emissions, lengths, crf);
    const [, steps, L] = emissions.shape;
    return sentences.map((tokens, row) => {
      const from = row * steps;
      const to = from + tokens.length;
      return {
        tokens,
        labels: Uint8Array.from(labels.subarray(from, to)),
        posterior: posteriors.subarray(from * L, to * L),
      };
    });
  } finally {
    emissions.dispose();
  }
}

/** [B, T, L] */
function emissionsOf(
  sentences: readonly (readonly Token[])[],
  lengths: Int32Array,
  { deidentifier, vocabulary, representation }: Reader,
): tf.Tensor3D {
  const steps = Math.max(...lengths);
  const ids = new Int32Array(sentences.length * steps).fill(-1);
  sentences.forEach((sentence, row) => {
    sentence.forEach(({ text }, t) => {
      ids[row * steps + t] = vocabulary.idOf(text);
    });
  });
  const x = (representation ?? deidentifier).embed(vocabulary, ids, steps); // [B, T, I]
  const inputs = representation
    ? deidentifier.beside(representation.noiseless(x, lengths), vocabulary, ids)
    : x; // [B, T, I]
  return deidentifier.emissions(inputs, lengths);
}

function spansOf(
  sentence: TaggedSentence,
  scheme: LabelScheme,
  threshold: number | undefined,
): ScoredSpan[] {
  const { tokens, posterior } = sentence;
  const labels = threshold === undefined ? sentence.labels : labelsAt(threshold, sentence, scheme);
  const L = scheme.labels.length;
  const placeOf = new Map(tokens.map(({ start }, t) => [start, t]));
  return decodeLabels(tokens, labels, scheme).map((span) => {
    const begin = 1 + 2 * scheme.types.indexOf(span.type);
    let confidence = 1;
    for (let t = placeOf.get(span.start) ?? 0; (tokens[t]?.end ?? Infinity) <= span.end; t++)
      confidence = Math.min(confidence, typePosterior(posterior, t * L, begin));
    return { ...span, confidence };
  });
}

/** The most likely labels where they agree with the threshold; elsewhere O, or the likeliest type. */
function labelsAt(
  threshold: number,
  { labels, posterior }: TaggedSentence,
  { labels: { length: L }, types }: LabelScheme,
): Uint8Array {
  const decided = new Uint8Array(labels.length);
  labels.forEach((label, t) => {
    if (phiPosterior(posterior, t, L) < threshold) return;
    if (label !== OUTSIDE) {
      decided[t] = label;
      return;
    }
    let best = 1;
    for (let type = 1; type < types.length; type++) {
      const begin = 1 + 2 * type;
      if (typePosterior(posterior, t * L, begin) > typePosterior(posterior, t * L, best))
        best = begin;
    }
    const before = t > 0 ? (decided[t - 1] as number) : OUTSIDE;
    decided[t] = before === best || before === best + 1 ? best + 1 : best;
  });
  return decided;
}

/** Any type: the sum of all labels but O, which keeps small ones that 1 - O would round away. */
function phiPosterior(posterior: Float32Array, t: number, L: number): number {
  let sum = 0;
  for (let label = OUTSIDE + 1; label < L; label++) sum += posterior[t * L + label] as number;
  return sum;
}

/** B or I of one type. */
function typePosterior(posterior: Float32Array, from: number, begin: number): number {
  return (posterior[from + begin] as number) + (posterior[from + begin + 1] as number);
}
