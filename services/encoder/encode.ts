/**
 * Documents to segments of encoded sentences.
 *
 * A sentence is released at most `maxReleases` times, whatever is killed when. Under the ledger's
 * write lock, for one segment after another: sentences that were released are dropped; the rest is
 * encoded; the segment is fsynced; its ledger rows are committed. Only what the ledger knows is ever
 * uploaded. So a kill before the commit leaves bytes that never leave (`withHome` deletes them) and
 * the sentences may be encoded again; a kill after it leaves the one release, which waits in the
 * outbox. Two processes cannot both find a sentence new, since finding and committing are one
 * transaction.
 */
import { release } from '../../models/networks/release.js';
import type { Progress } from '../../models/progress.js';
import type { Document } from '../../models/text/document.js';
import { sentencesOf } from '../../models/text/labelled-sentence.js';
import { ELEMENT_BYTES, encodeElements } from '../../proto/element.js';
import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import { writeSegment } from '../../proto/segment.js';
import type { SegmentShape } from '../../proto/segment-header.js';
import type { EncodingModel } from './encoding-model.js';
import { type Home, withHome } from './home.js';
import type { Ledger, SegmentRow } from './ledger.js';
import { secureShuffle } from './secure-shuffle.js';

const DEFAULT_MAX_RELEASES = 1;
/** A few seconds of encoding: what a kill costs, and how long another process waits. */
const DEFAULT_SEGMENT_BYTES = 8 * 1024 * 1024;
const MESSAGE_OVERHEAD_BYTES = 24;
const ELEMENT_TYPE = 'float16';

export interface EncodeOptions {
  /** How often one sentence may be released under one model; averaging k releases takes noise off by √k. */
  readonly maxReleases?: number;
  readonly segmentBytes?: number;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Counts alone: nothing in it tells which sentence was in which document. */
export interface EncodeReport {
  readonly documents: number;
  readonly sentences: number;
  /** Sentences encoded now. */
  readonly released: number;
  /** Sentences left out because they had been released before. */
  readonly skipped: number;
  readonly tokens: number;
  /** SHA-256 in hex of the new segments. */
  readonly segments: readonly string[];
  readonly bytes: number;
}

/** A labelled sentence as the model sees it. */
interface Sentence {
  /** [T], vocabulary ids. */
  readonly rows: Int32Array;
  /** [T] */
  readonly casing: Uint8Array;
  /** [T] */
  readonly labels: Uint8Array;
}

interface Candidate extends Sentence {
  /** The ledger's hash of `rows`. */
  readonly hash: Buffer;
}

/** Encodes what was not released yet and puts it into the outbox of `home`. */
export async function encode(
  documents: AsyncIterable<Document> | Iterable<Document>,
  model: EncodingModel,
  home: string,
  options: EncodeOptions = {},
): Promise<EncodeReport> {
  const { segmentBytes = DEFAULT_SEGMENT_BYTES, signal, progress } = options;
  const { sentences, documentCount } = await readSentences(documents, model, options);
  // Over all documents of the job, so that neither segments nor their order tell of documents.
  secureShuffle(sentences);
  return withHome(home, signal, async (opened) => {
    const report = { released: 0, tokens: 0, bytes: 0, segments: [] as string[] };
    let done = 0;
    for (const batch of batches(sentences, model, segmentBytes)) {
      signal?.throwIfAborted();
      const segment = await encodeBatch(batch, model, opened, options);
      done += batch.length;
      progress?.({ step: 'encode', done, total: sentences.length, unit: 'sentences' });
      if (!segment) continue;
      report.released += segment.sentences;
      report.tokens += segment.tokens;
      report.bytes += segment.bytes;
      report.segments.push(segment.digest);
    }
    const skipped = sentences.length - report.released;
    return { documents: documentCount, sentences: sentences.length, skipped, ...report };
  });
}

async function readSentences(
  documents: AsyncIterable<Document> | Iterable<Document>,
  { vocabulary, scheme }: EncodingModel,
  { signal, progress }: EncodeOptions,
): Promise<{ sentences: Sentence[]; documentCount: number }> {
  const sentences: Sentence[] = [];
  let documentCount = 0;
  for await (const document of documents) {
    signal?.throwIfAborted();
    for (const { tokens, casing, labels } of sentencesOf(document, scheme, documentCount)) {
      const rows = Int32Array.from(tokens, ({ text }) => vocabulary.idOf(text));
      sentences.push({ rows, casing, labels });
    }
    documentCount++;
    progress?.({ step: 'read', done: documentCount, unit: 'documents' });
  }
  return { sentences, documentCount };
}

/** Splits by the size that each sentence will take, so that a batch fills one segment. */
function* batches(
  sentences: readonly Sentence[],
  { representation }: EncodingModel,
  segmentBytes: number,
): Generator<Sentence[]> {
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE] + 2;
  let batch: Sentence[] = [];
  let bytes = 0;
  for (const sentence of sentences) {
    const size = sentence.rows.length * tokenBytes + MESSAGE_OVERHEAD_BYTES;
    if (batch.length > 0 && bytes + size > segmentBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(sentence);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

function encodeBatch(
  batch: readonly Sentence[],
  model: EncodingModel,
  { ledger, outbox }: Home,
  { maxReleases = DEFAULT_MAX_RELEASES, signal }: EncodeOptions,
): Promise<SegmentRow | undefined> {
  const candidates = batch.map((sentence) => ({
    ...sentence,
    hash: ledger.hashSentence(model.digest, rowKeysOf(sentence, model)),
  }));
  return ledger.exclusively(async () => {
    const fresh = unreleased(candidates, ledger, maxReleases);
    if (fresh.length === 0) return undefined;
    const bytes = writeSegment(shapeOf(model), encodeSentences(fresh, model));
    const segment = {
      digest: await outbox.add(bytes),
      model: model.digest,
      scheme: model.scheme.digest,
      sentences: fresh.length,
      tokens: fresh.reduce((sum, { rows }) => sum + rows.length, 0),
      bytes: bytes.length,
    };
    ledger.recordSegment(
      segment,
      fresh.map(({ hash }) => hash),
    );
    return segment;
  }, signal);
}

/** What may still be released, counting each sentence as often as the batch itself repeats it. */
function unreleased(
  candidates: readonly Candidate[],
  ledger: Ledger,
  maxReleases: number,
): Candidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ hash }) => {
    const name = hash.toString('hex');
    const count = counts.get(name) ?? ledger.releasesOf(hash);
    counts.set(name, count + 1);
    return count < maxReleases;
  });
}

function encodeSentences(
  sentences: readonly Sentence[],
  { representation, vocabulary }: EncodingModel,
): EncodedSentence[] {
  const rows = sentences.map((sentence) => sentence.rows);
  return release(representation, vocabulary, rows).map((vectors, i) => {
    const { casing, labels } = sentences[i] as Sentence;
    return { vectors: encodeElements(vectors, ELEMENT_TYPE), casing, labels };
  });
}

function rowKeysOf({ rows }: Sentence, { vocabulary }: EncodingModel): string[] {
  return Array.from(rows, (id) => vocabulary.key(id));
}

function shapeOf({ digest, representation, scheme }: EncodingModel): SegmentShape {
  return {
    modelDigest: digest,
    dimension: representation.config.dimension,
    elementType: ELEMENT_TYPE,
    labelSchemeDigest: scheme.digest,
    labelCount: scheme.labels.length,
  };
}
