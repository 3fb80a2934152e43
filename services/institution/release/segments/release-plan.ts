import { TacetError } from '../../../../proto/errors.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import { certifyJob } from '../job/certified-job.js';
import type { PortionReport } from '../job/encode-report.js';
import type { EncodingJob } from '../job/encoding-job.js';
import type { Ledger, Release } from '../ledger/ledger.js';
import type { SentenceTable } from '../sentences/sentence-table.js';
import { underAlikeLimit } from './alike-limit.js';
import { LabelPieces } from './label-pieces.js';
import { secureShuffle } from './secure-shuffle.js';

/** What a job would release of a table of sentences. */
export interface Plan {
  readonly table: SentenceTable;
  /** Which of them, in the order in which they leave. */
  readonly order: Uint32Array;
  /** In which pieces. */
  readonly pieces: LabelPieces;
  /** What one of them reveals of the entities in it. */
  chargesOf(sentence: number): Release['charges'];
}

const NO_CHARGES: Release['charges'] = [];

interface PlannedReport
  extends Pick<PortionReport, 'entities' | 'immovable' | 'alike' | 'uncommon' | 'refusal'> {
  /** What neither was released nor is left out for being alike: what leaves of it is the plan's. */
  readonly unreleased: Uint32Array;
}

/**
 * Decides what may be released of a table, in which order and in which pieces. `refusal` says `documents-too-few` where
 * no labels are common enough of what might leave.
 */
export async function planRelease(
  table: SentenceTable,
  model: EncodingModel,
  ledger: Ledger,
  job: EncodingJob,
): Promise<Plan & PlannedReport> {
  const allowed = await planSentences(table, model, ledger, job);
  const pieces = new LabelPieces(table, allowed.order, job);
  const order = allowed.order.filter((sentence) => pieces.countOf(sentence) > 0);
  const refusal = labelRefusal(allowed.order, order, job);
  const tokens = allowed.order.reduce((sum, sentence) => sum + table.tokensOf(sentence), 0);
  const leaving = order.reduce((sum, sentence) => sum + pieces.tokensOf(sentence), 0);
  return { ...allowed, order, pieces, uncommon: tokens - leaving, refusal };
}

/** Where something might leave, something does. */
function labelRefusal(
  { length: allowed }: Uint32Array,
  { length: common }: Uint32Array,
  { labelDocuments }: EncodingJob,
): TacetError | undefined {
  if (allowed === 0 || common > 0) return undefined;
  return new TacetError(
    'documents-too-few',
    `no labels of the job are those of ${labelDocuments} documents, and rarer ones would say which note they are of; ` +
      'gather more notes and encode them together with these, or state a lower labelDocuments in the policy',
  );
}

async function planSentences(
  table: SentenceTable,
  model: EncodingModel,
  ledger: Ledger,
  job: EncodingJob,
): Promise<Omit<Plan, 'pieces'> & Omit<PlannedReport, 'uncommon' | 'refusal'>> {
  const all = Uint32Array.from({ length: table.size }, (_, i) => i);
  const order = ledger.reading(() => all.filter(underAlikeLimit(table, ledger, job)));
  const alike = all.length - order.length;
  const unreleased = order;
  // Over all documents, so that neither segments nor their order tell of documents.
  secureShuffle(order);
  const { certification, dryRun, signal } = job;
  if (!certification)
    return {
      ...{ table, order, unreleased, alike },
      ...{ chargesOf: () => NO_CHARGES, entities: 0, immovable: 0 },
    };
  // What is replaced is of no entity: nothing is charged for it, and nothing withheld for its type.
  const labelsIn = (labels: Uint8Array) =>
    job.inventory ? job.keptTypes.labelsIn(labels) : labels;
  const uncharged = Array.from(order, (i) => {
    const sentence = table.at(i);
    return { i, ...sentence, labels: labelsIn(sentence.labels), charges: NO_CHARGES };
  });
  const leavesOf = (kept: readonly { readonly i: number }[]) => {
    const pieces = new LabelPieces(
      table,
      Uint32Array.from(kept, ({ i }) => i),
      job,
    );
    return ({ i }: { readonly i: number }, token: number) => pieces.holds(i, token);
  };
  const certified = await certifyJob(uncharged, model, ledger, certification, {
    ...job,
    leavesOf: job.labelDocuments > 1 ? leavesOf : undefined,
  });
  if (!dryRun && certified.told.size > 0)
    await ledger.exclusively(() => ledger.entities.recordTold(certified.told), signal);
  const charges = new Map(certified.kept.map((kept) => [kept.i, kept.charges]));
  return {
    table,
    unreleased,
    order: order.filter((i) => charges.has(i)),
    chargesOf: (sentence) => charges.get(sentence) ?? NO_CHARGES,
    entities: certified.entities,
    immovable: certified.immovable,
    alike,
  };
}
