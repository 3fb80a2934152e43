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
import { setImmediate } from 'node:timers/promises';
import { release } from '../../models/networks/release.js';
import type { Progress } from '../../models/progress.js';
import { ELEMENT_BYTES, encodeElements } from '../../proto/element.js';
import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import { TacetError } from '../../proto/errors.js';
import { writeSegment } from '../../proto/segment.js';
import type { SegmentShape } from '../../proto/segment-header.js';
import { type Certification, certifyJob, underLimit } from './certified-job.js';
import type { EncodingModel } from './encoding-model.js';
import { type Home, withHome } from './home.js';
import type { Ledger, Release, SegmentRow } from './ledger.js';
import { type DocumentSource, type HashedSentence, type Portion, portionsOf } from './portions.js';
import { keepReleases } from './release-map.js';
import { secureShuffle } from './secure-shuffle.js';
import type { Sentence } from './sentence.js';

const DEFAULT_MAX_RELEASES = 1;
/** A few seconds of encoding: what a kill costs, and how long another process waits. */
const DEFAULT_SEGMENT_BYTES = 8 * 1024 * 1024;
/** Encoded at one time: short enough for a server to answer in between. */
const BATCH_SENTENCES = 64;
const MESSAGE_OVERHEAD_BYTES = 24;
const ELEMENT_TYPE = 'float16';

export interface EncodeOptions {
  /** How often one sentence may be released, under whatever models; averaging k releases takes noise off by √k. */
  readonly maxReleases?: number | undefined;
  readonly segmentBytes?: number | undefined;
  /** The most sentences that are in memory at once; a larger job is read several times. */
  readonly mostSentences?: number | undefined;
  /** Withholds what would reveal too much of a PHI entity; without it nothing is certified. */
  readonly certification?: Certification | undefined;
  /** The fewest documents of a job, so that none is one patient's alone. */
  readonly minDocuments?: number | undefined;
  /** Keeps a local map from releases to sentences, for an audit of the contribution. */
  readonly keepMap?: boolean | undefined;
  /**
   * Counts what would be released, and releases nothing. Of a job that is read several times it
   * counts each portion as if it came first, so that more may be withheld in the end.
   */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Counts alone: nothing in it tells which sentence was in which document. */
export interface EncodeReport {
  readonly documents: number;
  readonly sentences: number;
  /** Sentences that were neither released before nor withheld. */
  readonly releasable: number;
  /** Sentences withheld, because they would reveal too much of an entity. */
  readonly withheld: number;
  /** PHI entities that were certified, and their tokens that cannot be; null without certification. */
  readonly entities: number | null;
  readonly immovable: number | null;
  /** Sentences encoded now. */
  readonly released: number;
  /** Sentences left out because they had been released before. */
  readonly skipped: number;
  readonly tokens: number;
  /** SHA-256 in hex of the new segments. */
  readonly segments: readonly string[];
  readonly bytes: number;
}

interface Candidate extends HashedSentence, Release {
  readonly hash: Buffer;
}

/** What became of one portion of a job. */
interface PortionReport
  extends Pick<
    EncodeReport,
    'releasable' | 'withheld' | 'released' | 'tokens' | 'bytes' | 'segments'
  > {
  readonly entities: number;
  readonly immovable: number;
}

/** Encodes what was not released yet and puts it into the outbox of `home`. */
export async function encode(
  source: DocumentSource,
  model: EncodingModel,
  home: string,
  options: EncodeOptions = {},
): Promise<EncodeReport> {
  const { maxReleases = DEFAULT_MAX_RELEASES, minDocuments, certification, dryRun } = options;
  return withHome(home, options.signal, async (opened) => {
    const mapIn = options.keepMap ? home : undefined;
    const reports: PortionReport[] = [];
    const job = { documents: 0, sentences: 0 };
    for await (const portion of portionsOf(source, model, opened.ledger, {
      ...options,
      maxReleases,
    })) {
      if (portion.number === 0) {
        requireDocuments(portion.documentCount, minDocuments);
        job.documents = portion.documentCount;
        job.sentences = portion.sentenceCount;
      }
      reports.push(await encodePortion(portion, model, opened, { ...options, mapIn }));
    }
    const sum = (count: Exclude<keyof PortionReport, 'segments'>) =>
      reports.reduce((total, report) => total + report[count], 0);
    const [releasable, withheld, released] = [sum('releasable'), sum('withheld'), sum('released')];
    return {
      ...job,
      releasable,
      withheld,
      released,
      skipped: job.sentences - withheld - (dryRun ? releasable : released),
      entities: certification ? sum('entities') : null,
      immovable: certification ? sum('immovable') : null,
      tokens: sum('tokens'),
      bytes: sum('bytes'),
      segments: reports.flatMap(({ segments }) => segments),
    };
  });
}

async function encodePortion(
  { sentences, vocabulary }: Portion,
  bundle: EncodingModel,
  home: Home,
  options: EncodeOptions & { readonly mapIn: string | undefined },
): Promise<PortionReport> {
  const { segmentBytes = DEFAULT_SEGMENT_BYTES, certification, signal, progress } = options;
  const model = { ...bundle, vocabulary };
  // Over all documents, so that neither segments nor their order tell of documents.
  secureShuffle(sentences);
  const fresh = sentences.map(uncharged);
  const certified =
    certification && (await certifyJob(fresh, model, home.ledger, certification, options));
  const candidates: readonly Candidate[] = certified?.kept ?? fresh;
  const counts = { released: 0, tokens: 0, bytes: 0, segments: [] as string[] };
  let done = 0;
  for (const batch of options.dryRun ? [] : batches(candidates, model, segmentBytes)) {
    signal?.throwIfAborted();
    const segment = await encodeBatch(batch, model, home, options);
    done += batch.length;
    progress?.({ step: 'encode', done, total: candidates.length, unit: 'sentences' });
    if (!segment) continue;
    counts.released += segment.sentences;
    counts.tokens += segment.tokens;
    counts.bytes += segment.bytes;
    counts.segments.push(segment.digest);
  }
  return {
    releasable: candidates.length,
    withheld: fresh.length - candidates.length,
    entities: certified?.entities ?? 0,
    immovable: certified?.immovable ?? 0,
    ...counts,
  };
}

/** Nothing of it is charged to an entity yet. */
function uncharged({ rows, casing, labels, mentions, hash }: HashedSentence): Candidate {
  return { rows, casing, labels, mentions, hash, charges: [] };
}

function requireDocuments(found: number, least = 1): void {
  if (found >= least || found === 0) return;
  throw new TacetError(
    'release-refused',
    `the job has fewer than ${least} documents, the least by policy; gather more and encode them together`,
  );
}

/** Splits by the size that each sentence will take, so that a batch fills one segment. */
function* batches(
  sentences: readonly Candidate[],
  { representation }: EncodingModel,
  segmentBytes: number,
): Generator<Candidate[]> {
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE] + 2;
  let batch: Candidate[] = [];
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
  batch: readonly Candidate[],
  model: EncodingModel,
  { ledger, outbox }: Home,
  options: EncodeOptions & { readonly mapIn: string | undefined },
): Promise<SegmentRow | undefined> {
  const { certification, mapIn, signal } = options;
  return ledger.exclusively(async () => {
    // Another process may have released since the job was planned.
    const allowed = unreleased(batch, ledger, options);
    const fresh = certification ? underLimit(allowed, ledger, certification) : allowed;
    if (fresh.length === 0) return undefined;
    const bytes = writeSegment(shapeOf(model), await encodeSentences(fresh, model));
    const segment = {
      digest: await outbox.add(bytes),
      model: model.digest,
      scheme: model.scheme.digest,
      sentences: fresh.length,
      tokens: fresh.reduce((sum, { rows }) => sum + rows.length, 0),
      bytes: bytes.length,
      certified: certification?.limit ?? null,
    };
    const hashes = fresh.map(({ hash }) => hash);
    if (mapIn !== undefined) await keepReleases(mapIn, segment.digest, hashes);
    ledger.recordSegment(segment, fresh);
    return segment;
  }, signal);
}

/** What may still be released, counting each sentence as often as the list itself repeats it. */
function unreleased(
  candidates: readonly Candidate[],
  ledger: Ledger,
  { maxReleases = DEFAULT_MAX_RELEASES }: EncodeOptions,
): Candidate[] {
  const counts = new Map<string, number>();
  return candidates.filter(({ hash }) => {
    const name = hash.toString('hex');
    const count = counts.get(name) ?? ledger.releasesOf(hash);
    counts.set(name, count + 1);
    return count < maxReleases;
  });
}

/** In small batches of like length, with pauses in which a server can answer. */
async function encodeSentences(
  sentences: readonly Sentence[],
  { representation, vocabulary }: EncodingModel,
): Promise<EncodedSentence[]> {
  const order = sentences.map((_, i) => i);
  const length = (i: number) => (sentences[i] as Sentence).rows.length;
  order.sort((a, b) => length(a) - length(b));
  const encoded = new Array<EncodedSentence>(sentences.length);
  for (let from = 0; from < order.length; from += BATCH_SENTENCES) {
    const batch = order.slice(from, from + BATCH_SENTENCES);
    const rows = batch.map((i) => (sentences[i] as Sentence).rows);
    for (const [at, vectors] of release(representation, vocabulary, rows).entries()) {
      const i = batch[at] as number;
      const { casing, labels } = sentences[i] as Sentence;
      encoded[i] = { vectors: encodeElements(vectors, ELEMENT_TYPE), casing, labels };
    }
    await setImmediate();
  }
  return encoded;
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
