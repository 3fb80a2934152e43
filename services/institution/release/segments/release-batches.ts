import { ELEMENT_BYTES } from '../../../../proto/element.js';
import { TacetError } from '../../../../proto/errors.js';
import { MAX_SEGMENT_BYTES } from '../../../../proto/segment-frame.js';
import type { EncodingModel } from '../../bundles/encoding-model.js';
import { ELEMENT_TYPE } from '../encoding/encoding-threads.js';
import type { EncodingJob } from '../job/encoding-job.js';
import { newnessIn, Quorum } from './quorum.js';
import type { Plan } from './release-plan.js';

const MESSAGE_OVERHEAD_BYTES = 24;
/** Size of the last batch, in those of the others. */
const LAST = 0.5;
/** Of a segment, what its sentences may take: beside them stand its head, and the ends of its blocks. */
const MOST_BYTES = 0.99 * MAX_SEGMENT_BYTES;

/**
 * Splits by the size that each sentence will take, so that batches of like size fit one segment each, or more
 * where one would hold something new of fewer than `minDocuments` documents. The last one is half as large as the
 * others, since nothing is encoded while it is written. Throws `documents-too-few` where a batch of so many documents
 * would not fit a segment.
 */
export function releaseBatches(
  { table, order, pieces }: Plan,
  { representation }: Pick<EncodingModel, 'representation'>,
  limits: Pick<EncodingJob, 'minDocuments' | 'maxReleases' | 'copies' | 'segmentBytes'>,
): number[][] {
  const { segmentBytes, minDocuments } = limits;
  const tokenBytes = representation.config.dimension * ELEMENT_BYTES[ELEMENT_TYPE] + 2;
  const bytesOf = (sentence: number) =>
    pieces.tokensOf(sentence) * tokenBytes + pieces.countOf(sentence) * MESSAGE_OVERHEAD_BYTES;
  const all = order.reduce((sum, sentence) => sum + bytesOf(sentence), 0);
  const most = all > segmentBytes ? all / (Math.ceil(all / segmentBytes - LAST) + LAST) : all;
  const isNew = newnessIn(table, limits);
  // Of a job that holds something new, no segment of repetitions alone is made: what is left over
  // could not go with it.
  const needsNew = order.some((sentence) => !table.isReleased(sentence));
  const batches: number[][] = [];
  let full: number[] = [];
  let batch: number[] = [];
  let quorum = new Quorum(minDocuments);
  let bytes = 0;
  for (const sentence of order) {
    const size = bytesOf(sentence);
    if (quorum.isMet && bytes + size > most) {
      if (full.length > 0) batches.push(full);
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
  batches.push(...last.filter(({ length }) => length > 0));
  for (const each of batches)
    if (each.reduce((sum, sentence) => sum + bytesOf(sentence), 0) > MOST_BYTES)
      throw tooLarge(minDocuments);
  return batches;
}

function tooLarge(minDocuments: number): TacetError {
  return new TacetError(
    'documents-too-few',
    `one segment must hold something of ${minDocuments} documents, and few of these have most of the sentences, so that it would ` +
      `take more than ${MAX_SEGMENT_BYTES} bytes; encode the large documents in parts, or together with more others`,
  );
}
