import type { EncodingModel } from '../bundles/encoding-model.js';
import { underAlikeLimit } from './alike-limit.js';
import { certifyJob } from './certified-job.js';
import type { PortionReport } from './encode-report.js';
import type { EncodingJob } from './encoding-job.js';
import type { Ledger, Release } from './ledger.js';
import { secureShuffle } from './secure-shuffle.js';
import type { SentenceTable } from './sentence-table.js';

/** What a job would release of a table of sentences. */
export interface Plan {
  readonly table: SentenceTable;
  /** Which of them, in the order in which they leave. */
  readonly order: Uint32Array;
  /** What one of them reveals of the entities in it. */
  chargesOf(sentence: number): Release['charges'];
}

const NO_CHARGES: Release['charges'] = [];

/** Decides what may be released of a table, and in which order. */
export async function planRelease(
  table: SentenceTable,
  model: EncodingModel,
  ledger: Ledger,
  job: EncodingJob,
): Promise<Plan & Pick<PortionReport, 'entities' | 'immovable' | 'alike'>> {
  const all = Uint32Array.from({ length: table.size }, (_, i) => i);
  const order = ledger.reading(() => all.filter(underAlikeLimit(table, ledger, job)));
  const alike = all.length - order.length;
  // Over all documents, so that neither segments nor their order tell of documents.
  secureShuffle(order);
  const { certification, dryRun, signal } = job;
  if (!certification)
    return { table, order, chargesOf: () => NO_CHARGES, entities: 0, immovable: 0, alike };
  // What is replaced is of no entity: nothing is charged for it, and nothing withheld for its type.
  const labelsIn = (labels: Uint8Array) =>
    job.inventory ? job.keptTypes.labelsIn(labels) : labels;
  const uncharged = Array.from(order, (i) => {
    const sentence = table.at(i);
    return { i, ...sentence, labels: labelsIn(sentence.labels), charges: NO_CHARGES };
  });
  const certified = await certifyJob(uncharged, model, ledger, certification, job);
  if (!dryRun && certified.told.size > 0)
    await ledger.exclusively(() => ledger.entities.recordTold(certified.told), signal);
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
