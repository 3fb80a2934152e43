/**
 * Documents to segments of encoded sentences.
 *
 * A sentence is released at most `maxReleases` times, whatever is killed when. Of what the ledger
 * allows, one segment's sentences after another are encoded; under the ledger's write lock, those that
 * someone else has released meanwhile are forgotten, the segment of the rest is fsynced and its ledger
 * rows are committed. Only what the ledger knows is ever uploaded. So a kill before the commit leaves
 * bytes that never leave (`withHome` deletes them) and the sentences may be encoded again; a kill
 * after it leaves the one release, which waits in the outbox. Two processes cannot both find a
 * sentence new, since finding and committing are one transaction.
 *
 * Every segment is of `minDocuments` documents at least, not only every job: a kill may leave one of
 * its segments alone, and a contribution is made of whatever segments wait.
 */
import { Inventory, type InventoryFile } from '../../../models/surrogates/inventory.js';
import type { Progress } from '../../../platform/progress.js';
import { startedAhead } from '../../../platform/started-ahead.js';
import { ELEMENT_BYTES } from '../../../proto/element.js';
import type { EntityTreatment } from '../../../proto/entity-treatment.js';
import { TacetError } from '../../../proto/errors.js';
import type { EncodingModel } from '../bundles/encoding-model.js';
import { underAlikeLimit } from './alike-limit.js';
import { type Certification, certifyJob } from './certified-job.js';
import { DocumentEntities } from './document-entities.js';
import { ELEMENT_TYPE, type EncodingThreads, encodeHere } from './encoding-threads.js';
import { type Home, withHome } from './home.js';
import { JobBounds, type JobBoundsReport } from './job-bounds.js';
import type { Ledger, Release } from './ledger.js';
import { type DocumentSource, readChunks } from './note-source.js';
import { type Portion, portionsOf } from './portions.js';
import { newnessIn, Quorum, requireQuorum } from './quorum.js';
import { requireBounds, type StatedBounds } from './release-bounds.js';
import { type EncodedBatch, type Plan, releaseSegment } from './release-segment.js';
import { requireInventory } from './required-inventory.js';
import type { SecondReader, SuspectTreatment } from './second-reader.js';
import { secureShuffle } from './secure-shuffle.js';
import type { SentenceTable } from './sentence-table.js';

const DEFAULT_MAX_RELEASES = 1;
const DEFAULT_MIN_DOCUMENTS = 1;
/** Form-like lines are alike in every note, and as many of them teach a de-identifier nothing more. */
export const DEFAULT_MAX_ALIKE = 100;
/** Part of a second: what a kill costs, how long another process waits, and all for the last one. */
const DEFAULT_SEGMENT_BYTES = 4 * 1024 * 1024;
/** Not worth the start of threads. */
const FEW_SENTENCES = 2048;
const MESSAGE_OVERHEAD_BYTES = 24;

export interface EncodeOptions {
  /** How often one sentence may be released, under whatever models; averaging k releases takes noise off by √k. */
  readonly maxReleases?: number | undefined;
  /**
   * Whether labelled entities are replaced before anything else looks at the text, as by default, or kept
   * as in the paper.
   */
  readonly entities?: EntityTreatment | undefined;
  /** What replaces them; the model's own by default. */
  readonly inventory?: InventoryFile | undefined;
  /** SHA-256 in hex of the only inventory that may be. */
  readonly inventoryDigest?: string | undefined;
  /** Reads notes once more for what their annotators missed. */
  readonly reader?: SecondReader | undefined;
  /** How many sentences may be released that are alike but for their replaced entities. */
  readonly maxAlike?: number | undefined;
  readonly segmentBytes?: number | undefined;
  /** The most sentences that are in memory at once; a larger job is read several times. */
  readonly mostSentences?: number | undefined;
  /**
   * Withholds what would reveal too much of a PHI entity that is kept; without it nothing is certified.
   * Of an entity that is replaced, nothing is revealed.
   */
  readonly certification?: Certification | undefined;
  /** The fewest documents that hold something new of what is released together. */
  readonly minDocuments?: number | undefined;
  /** Refuses a home that does not exist (`home-missing`); otherwise it is made. */
  readonly requireHome?: boolean | undefined;
  /** Id of the ledger that must be in the home; any may be, without it. */
  readonly ledger?: string | undefined;
  /** Keeps a local map from releases to sentences, for an audit of the contribution. */
  readonly keepMap?: boolean | undefined;
  /**
   * Counts what would be released, and releases nothing. Of a job that is read several times it
   * counts each portion as if it came first, so that more may be withheld in the end.
   */
  readonly dryRun?: boolean | undefined;
  /** Read and encode on threads of their own; without them all is done on the caller's. */
  readonly threads?: EncodingThreads | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** Counts alone: nothing in it tells which sentence was in which document. */
export interface EncodeReport {
  /** Id of the ledger, for a policy to pin. */
  readonly ledger: string;
  readonly documents: number;
  /** Documents that could not be read. */
  readonly bad: number;
  readonly sentences: number;
  readonly entityTreatment: EntityTreatment;
  /** Entities that were replaced, and SHA-256 of the inventory in hex; null where they were kept. */
  readonly replaced: number | null;
  readonly inventory: string | null;
  /** What a second reader found outside the labels, by type, and sentences left out for it; null without one. */
  readonly suspects: SuspectReport | null;
  /** Sentences left out since as many were released that are alike but for their entities. */
  readonly alike: number;
  /** Sentences that were neither released before nor withheld. */
  readonly releasable: number;
  /** Sentences withheld, because of how often an entity stands in them or of its type. */
  readonly withheld: number;
  /** PHI entities that were certified, and their tokens that cannot be; null without certification. */
  readonly entities: number | null;
  readonly immovable: number | null;
  /** What no adversary can do better about an entity or a document; null without certification. */
  readonly bounds: JobBoundsReport | null;
  /** Sentences encoded now. */
  readonly released: number;
  /** Sentences left out because they had been released before. */
  readonly skipped: number;
  readonly tokens: number;
  /** SHA-256 in hex of the new segments. */
  readonly segments: readonly string[];
  readonly bytes: number;
}

export interface SuspectReport {
  readonly treatment: SuspectTreatment;
  readonly byType: Readonly<Record<string, number>>;
  readonly sentences: number;
}

/** What became of one portion of a job. */
interface PortionReport
  extends Pick<
    EncodeReport,
    'releasable' | 'withheld' | 'alike' | 'released' | 'tokens' | 'bytes' | 'segments'
  > {
  readonly entities: number;
  readonly immovable: number;
}

/**
 * Encodes what was not released yet and puts it into the outbox of `home`. Throws `inventory-missing`
 * where entities are to be replaced and nothing can stand for them.
 */
export async function encode(
  source: DocumentSource,
  model: EncodingModel,
  home: string,
  options: EncodeOptions = {},
): Promise<EncodeReport> {
  const { certification, dryRun, threads, reader, entities = 'replaced' } = options;
  const inventory = entities === 'replaced' ? inventoryFor(model, options) : undefined;
  const stated = {
    certifiedLimit: certification?.limit,
    neighbours: certification?.neighbours,
    maxReleases: options.maxReleases,
    minDocuments: options.minDocuments,
    maxAlike: inventory && (options.maxAlike ?? DEFAULT_MAX_ALIKE),
    entities,
  };
  // A new ledger is never the one that a policy names.
  const mayMake = !options.requireHome && options.ledger === undefined;
  return withHome(home, { mayMake, signal: options.signal }, async (opened) => {
    requireLedger(opened.ledger, options.ledger);
    requireBounds(opened.ledger, stated);
    const replacement = inventory && {
      inventory: inventory.file,
      secret: opened.ledger.key.surrogateSecret(),
    };
    const read = () =>
      threads && 'corpus' in source && !reader
        ? threads.reader.chunks(source, model.scheme, replacement)
        : readChunks(source, model.scheme, replacement, reader);
    const job = {
      ...options,
      stated,
      inventory,
      maxAlike: stated.maxAlike ?? Number.POSITIVE_INFINITY,
      maxReleases: options.maxReleases ?? DEFAULT_MAX_RELEASES,
      minDocuments: options.minDocuments ?? DEFAULT_MIN_DOCUMENTS,
      mapIn: options.keepMap ? home : undefined,
    };
    const bounds = new JobBounds(
      (entity) => opened.ledger.entities.spentOn(entity),
      model.scheme.types,
    );
    let documentEntities = new DocumentEntities();
    const reports: PortionReport[] = [];
    let whole = { documents: 0, bad: 0, sentences: 0, replaced: 0, suspected: 0 };
    let suspects: SuspectReport | null = null;
    const portions = portionsOf(read, model, opened.ledger, {
      ...job,
      withMentions: certification !== undefined,
    });
    for await (const portion of portions) {
      if (portion.number === 0) {
        const { documentCount, badCount, sentenceCount, replacedCount } = portion;
        if (certification && sentenceCount > 0 && portion.documentEntities.isEmpty)
          throw withoutEntities();
        documentEntities = portion.documentEntities;
        whole = {
          ...{ documents: documentCount, bad: badCount },
          ...{ sentences: sentenceCount, replaced: replacedCount },
          suspected: portion.suspectedCount,
        };
        if (reader) suspects = suspectReport(portion, reader, model.scheme.types);
      }
      reports.push(await encodePortion(portion, model, opened, { ...job, bounds }));
    }
    const sum = (count: Exclude<keyof PortionReport, 'segments'>) =>
      reports.reduce((total, report) => total + report[count], 0);
    const [releasable, withheld, released] = [sum('releasable'), sum('withheld'), sum('released')];
    const alike = sum('alike');
    const { suspected, ...counts } = whole;
    return {
      ledger: opened.ledger.id,
      ...counts,
      suspects,
      entityTreatment: entities,
      replaced: inventory ? whole.replaced : null,
      inventory: inventory?.digest ?? null,
      alike,
      releasable,
      withheld,
      released,
      skipped: whole.sentences - withheld - alike - suspected - (dryRun ? releasable : released),
      entities: certification ? sum('entities') : null,
      immovable: certification ? sum('immovable') : null,
      bounds: certification ? bounds.report(documentEntities, certification.limit) : null,
      tokens: sum('tokens'),
      bytes: sum('bytes'),
      segments: reports.flatMap(({ segments }) => segments),
    };
  });
}

function suspectReport(
  { suspects, suspectedCount }: Portion,
  { treatment }: SecondReader,
  types: readonly string[],
): SuspectReport {
  const byType = types.map((type, i): [string, number] => [type, suspects[i] ?? 0]);
  const found = byType.filter(([, count]) => count > 0);
  return { treatment, byType: Object.fromEntries(found), sentences: suspectedCount };
}

function inventoryFor(
  { inventory: own, scheme }: EncodingModel,
  { inventory: given, certification, inventoryDigest: pinned }: EncodeOptions,
): Inventory {
  if (certification)
    throw new TacetError(
      'config-invalid',
      'a limit on entities speaks of entities that are kept, and here they are replaced, so that nothing ' +
        'tells of them; encode without the limit, or with --entities keep',
    );
  return requireInventory(given ? new Inventory(given) : own, scheme, pinned);
}

/** Throws `ledger-foreign` where another ledger is pinned. */
export function requireLedger({ id }: Pick<Ledger, 'id'>, pinned = id): void {
  if (id === pinned) return;
  throw new TacetError(
    'ledger-foreign',
    `the home holds ledger ${id}, the policy asks for ${pinned}; give the home with that ledger, or ` +
      'restore it from a backup: in another one, what was released counts as new',
  );
}

function withoutEntities(): TacetError {
  return new TacetError(
    'entities-missing',
    'no document of the job has an annotated entity, and what is not annotated is not certified; ' +
      'annotate the PHI of the notes, or encode them together with notes that have some',
  );
}

interface JobOptions extends Omit<EncodeOptions, 'inventory' | 'maxAlike'> {
  readonly maxReleases: number;
  readonly minDocuments: number;
  readonly maxAlike: number;
  readonly inventory: Inventory | undefined;
  readonly stated: StatedBounds;
  readonly bounds: JobBounds;
  readonly mapIn: string | undefined;
}

async function encodePortion(
  portion: Portion,
  bundle: EncodingModel,
  home: Home,
  options: JobOptions,
): Promise<PortionReport> {
  const { segmentBytes = DEFAULT_SEGMENT_BYTES, minDocuments, threads, dryRun } = options;
  const { signal, progress } = options;
  const { sentences: table, vocabulary, ledgerVersion } = portion;
  const model = { ...bundle, vocabulary };
  const plan = await planOf(table, model, home, options);
  requireQuorum(table, plan.order, newnessIn(table, options), minDocuments);
  const releasable = plan.order.length;
  const encodeBatch = async (sentences: readonly number[]): Promise<EncodedBatch> => {
    const rows = sentences.map((sentence) => table.rowsOf(sentence));
    const isLarge = releasable > FEW_SENTENCES;
    const encodings = await (threads && isLarge
      ? threads.encode(rows, vocabulary)
      : encodeHere(rows, model));
    return { sentences, encodings };
  };
  const counts = { released: 0, tokens: 0, bytes: 0, segments: [] as string[] };
  let done = 0;
  const batches = dryRun ? [] : batchesOf(plan, model, { ...options, segmentBytes });
  for await (const batch of startedAhead(batches, encodeBatch)) {
    signal?.throwIfAborted();
    const segment = await releaseSegment(batch, plan, model, home, { ...options, ledgerVersion });
    threads?.recycle(batch.encodings);
    done += batch.sentences.length;
    progress?.({ step: 'encode', done, total: releasable, unit: 'sentences' });
    if (!segment) continue;
    counts.released += segment.sentences;
    counts.tokens += segment.tokens;
    counts.bytes += segment.bytes;
    counts.segments.push(segment.digest);
  }
  const { entities, immovable, alike } = plan;
  const withheld = table.size - releasable - alike;
  return { releasable, withheld, alike, entities, immovable, ...counts };
}

async function planOf(
  table: SentenceTable,
  model: EncodingModel,
  { ledger }: Home,
  options: JobOptions,
): Promise<Plan & Pick<PortionReport, 'entities' | 'immovable' | 'alike'>> {
  const all = Uint32Array.from({ length: table.size }, (_, i) => i);
  const order = all.filter(underAlikeLimit(table, ledger, options));
  const alike = all.length - order.length;
  // Over all documents, so that neither segments nor their order tell of documents.
  secureShuffle(order);
  const { certification } = options;
  if (!certification)
    return { table, order, chargesOf: () => NO_CHARGES, entities: 0, immovable: 0, alike };
  const uncharged = Array.from(order, (i) => ({ i, ...table.at(i), charges: NO_CHARGES }));
  const certified = await certifyJob(uncharged, model, ledger, certification, options);
  if (!options.dryRun && certified.told.size > 0)
    await ledger.exclusively(() => ledger.entities.recordTold(certified.told), options.signal);
  const charges = new Map(certified.kept.map((kept) => [kept.i, kept.charges]));
  return {
    table,
    order: order.filter((i) => charges.has(i)),
    chargesOf: (sentence) => charges.get(sentence) ?? NO_CHARGES,
    entities: certified.entities,
    immovable: certified.immovable,
    alike,
  };
}

const NO_CHARGES: Release['charges'] = [];

/**
 * Splits by the size that each sentence will take, so that a batch fills one segment, or more where
 * it would hold something new of fewer than `minDocuments` documents.
 */
function* batchesOf(
  { table, order }: Plan,
  { representation }: EncodingModel,
  limits: Pick<JobOptions, 'minDocuments' | 'maxReleases'> & { readonly segmentBytes: number },
): Generator<number[]> {
  const { segmentBytes, minDocuments } = limits;
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE] + 2;
  const isNew = newnessIn(table, limits);
  // Of a job that holds something new, no segment of repetitions alone is made: what is left over
  // could not go with it.
  const needsNew = order.some((sentence) => !table.isReleased(sentence));
  let full: number[] = [];
  let batch: number[] = [];
  let quorum = new Quorum(minDocuments);
  let bytes = 0;
  for (const sentence of order) {
    const size = table.tokensOf(sentence) * tokenBytes + MESSAGE_OVERHEAD_BYTES;
    if (quorum.isMet && bytes + size > segmentBytes) {
      if (full.length > 0) yield full;
      full = batch;
      batch = [];
      quorum = new Quorum(minDocuments);
      bytes = 0;
    }
    batch.push(sentence);
    const isNewHere = isNew(sentence);
    if (isNewHere || !needsNew) quorum.add(table.documentOf(sentence), isNewHere);
    bytes += size;
  }
  // What is left over goes with the last one.
  const last = quorum.isMet ? [full, batch] : [[...full, ...batch]];
  yield* last.filter(({ length }) => length > 0);
}
