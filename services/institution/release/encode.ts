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
import { Inventory } from '../../../models/surrogates/inventory.js';
import { requireFloat32 } from '../../../models/tensor/backend.js';
import { TacetError } from '../../../proto/errors.js';
import type { EncodingModel } from '../bundles/encoding-model.js';
import { type Home, withHome } from './home/home.js';
import { aloneIn, CERTIFYING_LOCK } from './home/home-lock.js';
import type { EncodeOptions } from './job/encode-options.js';
import {
  type EncodeReport,
  type JobCounts,
  type PortionReport,
  type SuspectReport,
  sumOfPortions,
} from './job/encode-report.js';
import { type EncodingJob, encodingJob, statedBounds } from './job/encoding-job.js';
import { JobBounds } from './job/job-bounds.js';
import { KeptTypes } from './job/kept-types.js';
import { recordReader, requireBounds, type StatedBounds } from './job/release-bounds.js';
import { requireInventory } from './job/required-inventory.js';
import type { Ledger } from './ledger/ledger.js';
import { type DocumentSource, type ReadChunk, readChunks } from './notes/note-source.js';
import type { Portion } from './portions/portion.js';
import { encodePortion } from './portions/portion-encoding.js';
import { portionsOf } from './portions/portions.js';
import type { SecondReader } from './suspects/second-reader.js';

/**
 * Encodes what was not released yet and puts it into the outbox of `home`. Throws `inventory-missing`
 * where entities are to be replaced and nothing can stand for them, `type-names-somebody` where one is to be
 * kept that names somebody, `entities-missing` where no note of any file has a labelled one, and `config-invalid` where none of
 * what is kept is certified or f is not computed in float32. Throws `documents-too-few` where nothing
 * leaves since too few documents have anything like it, unless all of them left before, but for that.
 */
export async function encode(
  source: DocumentSource,
  model: EncodingModel,
  home: string,
  options: EncodeOptions = {},
): Promise<EncodeReport> {
  const { certification, signal } = options;
  requireFloat32('releases are made');
  requireReleases(options);
  const keptTypes = new KeptTypes(options.keptTypes ?? [], model.scheme);
  requireCertified(options);
  const inventory = options.entities === 'kept' ? undefined : inventoryFor(model, options);
  const stated = statedBounds(options, inventory ? 'replaced' : 'kept', keptTypes.names);
  // A new ledger is never the one that a policy names.
  const mayMake = !options.requireHome && options.ledger === undefined;
  const setup = { source, model, home, options, keptTypes, inventory, stated };
  // What a certificate counts as spent is what was spent when its last segment leaves.
  return withHome(home, { mayMake, signal }, (opened) =>
    certification && !options.dryRun
      ? aloneIn(home, CERTIFYING_LOCK, signal, () => encodeIn(opened, setup))
      : encodeIn(opened, setup),
  );
}

interface JobSetup {
  readonly source: DocumentSource;
  readonly model: EncodingModel;
  readonly home: string;
  readonly options: EncodeOptions;
  readonly keptTypes: KeptTypes;
  readonly inventory: Inventory | undefined;
  readonly stated: StatedBounds;
}

async function encodeIn(
  opened: Home,
  { source, model, home, options, keptTypes, inventory, stated }: JobSetup,
): Promise<EncodeReport> {
  const { ledger } = opened;
  const { certification } = options;
  requireLedger(ledger, options.ledger);
  requireBounds(ledger, stated);
  const bounds = new JobBounds((entity) => ledger.entities.spentOn(entity), model.scheme.types);
  const job = encodingJob(home, options, { inventory, keptTypes, stated, bounds });
  const read = () => chunksOf(source, model, ledger, job);
  const reports: PortionReport[] = [];
  let first: WholeJob | undefined;
  const certified = certification && certifiedLabels(job);
  for await (const portion of portionsOf(read, model, ledger, { ...job, certified })) {
    if (!first) {
      first = wholeJob(portion);
      await keepToReader(ledger, first, job);
    }
    if (certification) requireEntities(first);
    else if (inventory && 'corpus' in source && !options.withoutPhi) requireLabels(first, stated);
    reports.push(await encodePortion(portion, model, opened, job));
  }
  const whole = first as WholeJob;
  requireLeaving(reports);
  return reportOf(ledger, model, job, whole, sumOfPortions(reports));
}

/** Of the whole job; a portion tells all but its sentences. */
type WholeJob = Omit<Portion, 'sentences' | 'documents' | 'vocabulary' | 'redrawnCount'>;

function wholeJob({ sentences: _, documents: __, vocabulary: ___, ...whole }: Portion): WholeJob {
  return whole;
}

/** Before the job may be refused: one without the reader would encode what it found. */
async function keepToReader(
  ledger: Ledger,
  { suspects }: WholeJob,
  { stated, dryRun, signal }: EncodingJob,
): Promise<void> {
  if (dryRun || !suspects.some((count) => count > 0)) return;
  await ledger.exclusively(() => recordReader(ledger, stated), signal);
}

/** The notes of a job, once more for each portion; read here where a second reader is at work. */
function chunksOf(
  source: DocumentSource,
  { scheme }: EncodingModel,
  { key, documents }: Ledger,
  { inventory, keptTypes: { names: keptTypes }, threads, reader, copies }: EncodingJob,
): AsyncIterable<ReadChunk> {
  const secret = inventory && key.surrogateSecret();
  const { countsEarlier } = documents;
  const replacement = secret && {
    ...{ inventory: inventory.file, secret, copies, keptTypes, countsEarlier },
  };
  if (threads && 'corpus' in source && !reader)
    return threads.reader.chunks(source, scheme, replacement);
  return readChunks(source, scheme, replacement, reader);
}

function reportOf(
  { id }: Ledger,
  { scheme }: EncodingModel,
  {
    inventory,
    keptTypes,
    certification,
    reader,
    copies,
    labelDocuments,
    bounds,
    dryRun,
  }: EncodingJob,
  whole: WholeJob,
  sum: JobCounts,
): EncodeReport {
  const { entities, immovable, ...counts } = sum;
  const { documentCount, badCount, inexactCount, sentenceCount, suspectedCount } = whole;
  const leaving = dryRun ? sum.releasable : sum.released;
  const staying = sum.withheld + sum.alike + sum.redrawn + suspectedCount;
  return {
    ledger: id,
    ...{ documents: documentCount, bad: badCount, inexact: inexactCount, sentences: sentenceCount },
    portions: whole.count,
    entityTreatment: inventory ? 'replaced' : 'kept',
    keptTypes: keptTypes.names,
    kept: whole.keptCount,
    asText: whole.asText,
    replaced: inventory ? whole.replacedCount : null,
    inventory: inventory?.digest ?? null,
    copies,
    labelDocuments,
    suspects: reader ? suspectReport(whole, reader, scheme.types) : null,
    ...counts,
    skipped: sentenceCount - staying - leaving,
    entities: certification ? entities : null,
    immovable: certification ? immovable : null,
    bounds: certification ? bounds.report(whole.documentEntities, certification.limit) : null,
  };
}

function suspectReport(
  { suspects, suspectedCount }: WholeJob,
  { treatment }: SecondReader,
  types: readonly string[],
): SuspectReport {
  const byType = types.map((type, i): [string, number] => [type, suspects[i] ?? 0]);
  const found = byType.filter(([, count]) => count > 0);
  return { treatment, byType: Object.fromEntries(found), sentences: suspectedCount };
}

function inventoryFor(
  { inventory: own, scheme }: EncodingModel,
  { inventory: given, certification, keptTypes = [], inventoryDigest: pinned }: EncodeOptions,
): Inventory {
  if (certification && keptTypes.length === 0)
    throw new TacetError(
      'config-invalid',
      'a limit on entities speaks of entities that are kept, and here they are replaced, so that nothing ' +
        'tells of them; encode without the limit, or with --entities keep',
    );
  return requireInventory(given ? new Inventory(given) : own, scheme, pinned);
}

/** The labels of a sentence that are certified: of what is not replaced. */
function certifiedLabels({
  inventory,
  keptTypes,
}: EncodingJob): (labels: Uint8Array) => Uint8Array {
  return inventory ? (labels) => keptTypes.labelsIn(labels) : (labels) => labels;
}

/** Throws `config-invalid` where types would be kept of which nothing limits what is revealed. */
function requireCertified({ keptTypes = [], entities, certification }: EncodeOptions): void {
  if (keptTypes.length === 0) return;
  if (entities === 'kept')
    throw new TacetError('config-invalid', 'keptTypes: entities of every type are kept');
  if (certification) return;
  throw new TacetError(
    'config-invalid',
    'keptTypes: entities that are kept need a certified limit; state certifiedLimit in the policy',
  );
}

/** Throws `config-invalid` where the text around entities would be released too often, or they are kept. */
function requireReleases(options: EncodeOptions): void {
  const { copies = 1, maxReleases = copies, entities, keptTypes = [] } = options;
  if (copies > 1 && (entities === 'kept' || keptTypes.length > 0))
    throw new TacetError('config-invalid', 'copies: entities that are kept are the same in each');
  if (copies <= maxReleases) return;
  throw new TacetError(
    'config-invalid',
    `copies: ${copies} of a note release the text around its entities ${copies} times, and maxReleases is ` +
      `${maxReleases}; ask for fewer, or raise maxReleases`,
  );
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

/** Throws `entities-missing`: nothing would be replaced in notes that nobody labelled, and some formats do not tell these. */
function requireLabels(
  { sentenceCount, replacedCount, keptCount }: WholeJob,
  { suspects }: StatedBounds,
): void {
  if (sentenceCount === 0 || replacedCount + keptCount > 0) return;
  const encoded =
    suspects === undefined || suspects === 'report'
      ? 'nothing would be replaced, and every name in them encoded as it is'
      : 'every name in them that the second reader misses would be encoded as it is';
  throw new TacetError(
    'entities-missing',
    `no note of the job has a labelled entity: ${encoded}; give notes whose PHI is labelled, or say that they hold none ` +
      '(--without-phi; withoutPhi of a job)',
  );
}

/**
 * Throws `documents-too-few` where something might leave and nothing may. Of the whole job and not of each portion: by
 * then an earlier one may have left, and what one has too few documents for stays here while the others leave.
 */
function requireLeaving(portions: readonly PortionReport[]): void {
  if (portions.some(({ releasable }) => releasable > 0)) return;
  const refused = portions.find(({ refusal }) => refusal !== undefined);
  if (refused?.refusal) throw refused.refusal;
}

/** Throws `entities-missing`: what is not annotated is not certified. */
function requireEntities({ sentenceCount, replacedCount, documentEntities }: WholeJob): void {
  if (sentenceCount === 0 || replacedCount > 0 || !documentEntities.isEmpty) return;
  throw new TacetError(
    'entities-missing',
    'no document of the job has an annotated entity, and what is not annotated is not certified; ' +
      'annotate the PHI of the notes, or encode them together with notes that have some',
  );
}
