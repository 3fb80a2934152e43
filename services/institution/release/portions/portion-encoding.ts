import { startedAhead } from '../../../../platform/started-ahead.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import { encodeHere } from '../encoding/encoding-threads.js';
import type { Home } from '../home/home.js';
import type { PortionReport } from '../job/encode-report.js';
import type { EncodingJob } from '../job/encoding-job.js';
import type { Ledger } from '../ledger/ledger.js';
import { newnessIn, quorumRefusal } from '../segments/quorum.js';
import { releaseBatches } from '../segments/release-batches.js';
import { type Plan, planRelease } from '../segments/release-plan.js';
import { type EncodedBatch, releaseSegment } from '../segments/release-segment.js';
import type { Portion } from './portion.js';

/** Not worth the start of threads. */
const FEW_SENTENCES = 2048;

/**
 * Encodes and releases one portion of a job; counts what it would release in a dry run. What there are too few documents
 * for stays, and the report says why.
 */
export async function encodePortion(
  portion: Portion,
  bundle: EncodingModel,
  home: Home,
  job: EncodingJob,
): Promise<PortionReport> {
  const { minDocuments, threads, dryRun, signal, progress } = job;
  const { sentences: table, documents, vocabulary, ledgerVersion, redrawnCount: redrawn } = portion;
  const model = { ...bundle, vocabulary };
  const planned = await planRelease(table, model, home.ledger, job);
  const refusal =
    planned.refusal ?? quorumRefusal(table, planned.order, newnessIn(table, job), minDocuments);
  const plan = refusal ? { ...planned, order: new Uint32Array() } : planned;
  const releasable = plan.order.length;
  const rest = restOf(plan, portion, home.ledger);
  const encodeBatch = async (sentences: readonly number[]): Promise<EncodedBatch> => {
    const rows = sentences.map((sentence) => table.rowsOf(sentence));
    const isLarge = releasable > FEW_SENTENCES;
    const encodings = await (threads && isLarge
      ? threads.encode(rows, vocabulary)
      : encodeHere(rows, model));
    return { sentences, encodings };
  };
  const counts = { released: 0, pieces: 0, tokens: 0, bytes: 0, segments: [] as string[] };
  let done = 0;
  const batches = releaseBatches(plan, model, job);
  for await (const batch of startedAhead(dryRun ? [] : batches, encodeBatch)) {
    signal?.throwIfAborted();
    const left = await releaseSegment(batch, plan, model, home, {
      ...job,
      documents,
      ledgerVersion,
    });
    threads?.recycle(batch.encodings);
    done += batch.sentences.length;
    progress?.({ step: 'encode', done, total: releasable, unit: 'sentences' });
    if (!left) continue;
    counts.released += left.sentences;
    counts.pieces += left.segment.sentences;
    counts.tokens += left.segment.tokens;
    counts.bytes += left.segment.bytes;
    counts.segments.push(left.segment.digest);
  }
  const { entities, immovable, alike } = plan;
  // What stays whole is withheld, and counts once.
  const uncommon = refusal ? 0 : plan.uncommon;
  const withheld = table.size - releasable - alike;
  return {
    ...{ releasable, withheld, rest, alike, uncommon, redrawn, entities, immovable },
    // What stays of notes that left is no reason to refuse a job that has nothing else.
    refusal: rest < withheld ? refusal : undefined,
    ...counts,
  };
}

/** How many sentences stay that are of notes that left before. */
function restOf(
  { unreleased, order, table }: Plan & { readonly unreleased: Uint32Array },
  { documents }: Pick<Portion, 'documents'>,
  ledger: Ledger,
): number {
  const leaving = new Set(order);
  const staying = unreleased.filter((sentence) => !leaving.has(sentence));
  if (staying.length === 0) return 0;
  const left = new Map<number, boolean>();
  return ledger.reading(
    () =>
      staying.filter((sentence) => {
        const number = table.documentOf(sentence);
        const note = documents.get(number);
        const hasLeft = left.get(number) ?? (note !== undefined && ledger.documents.holds(note));
        left.set(number, hasLeft);
        return hasLeft;
      }).length,
  );
}
