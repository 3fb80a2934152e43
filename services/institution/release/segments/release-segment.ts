import type { Inventory } from '../../../../models/surrogates/inventory.js';
import { ELEMENT_BYTES } from '../../../../proto/element.js';
import type { EncodedSentence } from '../../../../proto/encoded-sentence.js';
import { keptTypesText } from '../../../../proto/kept-types.js';
import { segmentParts } from '../../../../proto/segment.js';
import type { SegmentShape } from '../../../../proto/segment-header.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import { ELEMENT_TYPE, type EncodingThreads } from '../encoding/encoding-threads.js';
import type { Encodings } from '../encoding/encodings.js';
import type { Home } from '../home/home.js';
import { type Certification, underCap } from '../job/certified-job.js';
import type { KeptTypes } from '../job/kept-types.js';
import { asBounds, requireBounds, type StatedBounds } from '../job/release-bounds.js';
import type { Ledger, Release } from '../ledger/ledger.js';
import type { DrawnNote } from '../ledger/ledger-documents.js';
import type { SegmentRow } from '../ledger/ledger-segments.js';
import type { SentenceTable } from '../sentences/sentence-table.js';
import { underAlikeLimit } from './alike-limit.js';
import { mostReleases } from './most-releases.js';
import { type Newness, newnessIn, Quorum } from './quorum.js';
import { keepReleases, type ReleasedPiece, releaseName } from './release-map.js';
import type { Plan } from './release-plan.js';
import { secureShuffle } from './secure-shuffle.js';

/** A segment, and how many sentences left with it. */
export interface Left {
  readonly segment: SegmentRow;
  readonly sentences: number;
}

/** Sentences of a plan with the one encoding of each; it has left this process nowhere yet. */
export interface EncodedBatch {
  readonly sentences: readonly number[];
  /** By place in `sentences`. */
  readonly encodings: Encodings;
}

export interface ReleaseOptions {
  readonly maxReleases: number;
  readonly minDocuments: number;
  readonly maxAlike: number;
  readonly copies: number;
  /** SHA-256 in hex of the inventory whose entities were encoded; undefined where they were kept. */
  readonly inventory?: Pick<Inventory, 'digest'> | undefined;
  readonly keptTypes: KeptTypes;
  /** What was stated of the limits, and the limit of `certification`. */
  readonly stated: StatedBounds;
  readonly certification?: Certification | undefined;
  /** Directory of the map from releases to sentences; none is kept without it. */
  readonly mapIn?: string | undefined;
  /** By number, those whose entities were replaced. */
  readonly documents: ReadonlyMap<number, DrawnNote>;
  /** Of the ledger, when it allowed the candidates. */
  readonly ledgerVersion: number;
  readonly threads?: Pick<EncodingThreads, 'spareBlocks'> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Releases what may still be released: under the ledger's write lock, the segment is fsynced, then
 * its rows are committed. What may not is forgotten. Undefined where nothing was left, or sentences
 * of too few documents, which a later job may release.
 */
export function releaseSegment(
  batch: EncodedBatch,
  plan: Plan,
  model: EncodingModel,
  home: Home,
  options: ReleaseOptions,
): Promise<Left | undefined> {
  return home.ledger.exclusively(
    () => releaseAllowed(batch, plan, model, home, options),
    options.signal,
  );
}

/** Apart from what calls it: V8 keeps what it compiled of a function no longer than the function itself. */
async function releaseAllowed(
  batch: EncodedBatch,
  plan: Plan,
  model: EncodingModel,
  { ledger, outbox }: Home,
  options: ReleaseOptions,
): Promise<Left | undefined> {
  const { table } = plan;
  const { certification, mapIn, inventory, keptTypes, threads } = options;
  // Another job may have stated stricter ones meanwhile.
  requireBounds(ledger, options.stated);
  const places = allowed(batch, plan, ledger, options);
  const released = places.map((place) => batch.sentences[place] as number);
  const quorum = new Quorum(options.minDocuments);
  const isNew = newnessBy(ledger, table, options);
  for (const i of released) quorum.add(table.documentOf(i), isNew(i));
  if (places.length === 0 || !quorum.isMet) return undefined;
  const treatment = {
    entities: inventory ? 'replaced' : 'kept',
    keptTypes: keptTypes.names,
  } as const;
  const shape = { ...shapeOf(model), ...treatment };
  const pieces = piecesOf(released, plan);
  const encoded = encodedOf(batch, places, pieces, plan, model);
  const parts = segmentParts(shape, encoded, threads?.spareBlocks);
  const digest = await outbox.add(...parts);
  threads?.spareBlocks.giveBack(parts);
  const segment = {
    digest,
    model: model.digest,
    scheme: model.scheme.digest,
    sentences: pieces.length,
    tokens: pieces.reduce((sum, { start, end }) => sum + end - start, 0),
    bytes: parts.reduce((sum, { length }) => sum + length, 0),
    certified: certification?.limit ?? null,
    inventory: inventory?.digest ?? null,
    keptTypes: keptTypesText(keptTypes.names),
    copies: options.copies,
  };
  if (mapIn !== undefined)
    await keepReleases(
      mapIn,
      segment.digest,
      released.map((i) => releaseName(table.rowsOf(i), model.vocabulary, ledger.key)),
      pieces,
      ledger.key,
    );
  ledger.recordBounds(asBounds(options.stated));
  const notes = notesOf(released, table, options);
  await ledger.recordSegment(segment, releasesOf(released, plan), notes);
  return { segment, sentences: places.length };
}

/** In an order that does not tell which of them are of one sentence. */
function piecesOf(released: readonly number[], { pieces }: Plan): ReleasedPiece[] {
  const all: ReleasedPiece[] = [];
  for (const [sentence, i] of released.entries())
    for (const { start, end } of pieces.of(i)) all.push({ sentence, start, end });
  // Sentences are shuffled as it is.
  if (all.length > released.length) secureShuffle(all);
  return all;
}

/** `places` are those of the sentences that pieces are of. */
function* encodedOf(
  { sentences, encodings }: EncodedBatch,
  places: readonly number[],
  pieces: readonly ReleasedPiece[],
  { table }: Plan,
  { representation }: EncodingModel,
): Generator<EncodedSentence> {
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE];
  for (const { sentence, start, end } of pieces) {
    const place = places[sentence] as number;
    yield {
      vectors: encodings.of(place).subarray(start * tokenBytes, end * tokenBytes),
      labels: table.labelsOf(sentences[place] as number).subarray(start, end),
    };
  }
}

/** As the ledger knows it by now: another job, or a segment of this one, may have released a copy. */
function newnessBy(ledger: Ledger, table: SentenceTable, options: ReleaseOptions): Newness {
  return newnessIn(
    {
      hashOf: (sentence) => table.hashOf(sentence),
      alikeOf: (sentence) => table.alikeOf(sentence),
      isReleased: (sentence) =>
        ledger.releasesOf(table.hashOf(sentence)) > 0 ||
        (options.copies > 1 && ledger.alike.releasesOf(table.alikeOf(sentence)) > 0),
    },
    options,
  );
}

function notesOf(
  sentences: readonly number[],
  table: SentenceTable,
  { documents }: Pick<ReleaseOptions, 'documents'>,
): DrawnNote[] {
  const numbers = new Set(sentences.map((i) => table.documentOf(i)));
  return [...numbers].flatMap((number) => {
    const note = documents.get(number);
    return note ? [note] : [];
  });
}

function* releasesOf(sentences: readonly number[], { table, chargesOf }: Plan): Generator<Release> {
  for (const i of sentences)
    yield { hash: table.hashOf(i), alike: table.alikeOf(i), charges: chargesOf(i) };
}

/** The places in a batch of what neither the ledger nor the cap forbids by now. */
function allowed(
  { sentences }: EncodedBatch,
  { table, chargesOf }: Plan,
  ledger: Ledger,
  { maxReleases, maxAlike, copies, certification, documents, ledgerVersion }: ReleaseOptions,
): number[] {
  let places = sentences.map((_, place) => place);
  const sentenceAt = (place: number) => sentences[place] as number;
  // Another process, or another job of this one, may have released since the job was planned.
  if (ledger.version() !== ledgerVersion) {
    const noteAt = (place: number) => documents.get(table.documentOf(sentenceAt(place)));
    const isElsewhere = (note: DrawnNote | undefined) =>
      note !== undefined && ledger.documents.isOtherwise(note);
    places = places.filter((place) => !isElsewhere(noteAt(place)));
    const most = mostReleases({ maxReleases, copies });
    places = unreleased(places, (place) => table.hashOf(sentenceAt(place)), ledger, most);
    const isAllowed = underAlikeLimit(table, ledger, { maxReleases, maxAlike, copies });
    places = places.filter((place) => isAllowed(sentenceAt(place)));
  }
  if (!certification) return places;
  const releases = places.map((place) => {
    const i = sentenceAt(place);
    return { place, hash: table.hashOf(i), alike: table.alikeOf(i), charges: chargesOf(i) };
  });
  return underCap(releases, ledger, certification).map(({ place }) => place);
}

/** What may still be released, counting each sentence as often as the list itself repeats it. */
function unreleased(
  places: readonly number[],
  hashAt: (place: number) => Buffer,
  ledger: Ledger,
  most: number,
): number[] {
  const counts = new Map<string, number>();
  return places.filter((place) => {
    const hash = hashAt(place);
    const name = hash.toString('hex');
    const count = counts.get(name) ?? ledger.releasesOf(hash);
    counts.set(name, count + 1);
    return count < most;
  });
}

function shapeOf({
  digest,
  representation,
  scheme,
}: EncodingModel): Omit<SegmentShape, 'entities' | 'keptTypes'> {
  return {
    modelDigest: digest,
    dimension: representation.config.dimension,
    elementType: ELEMENT_TYPE,
    labelSchemeDigest: scheme.digest,
    labelCount: scheme.labels.length,
  };
}
