import type { Trust } from '../../../models/bundle/verify.js';
import type { Embeddings } from '../../../models/embeddings/embeddings.js';
import type { EncodingModel } from '../../institution/bundles/encoding-model.js';
import { openTaggingModel } from '../../institution/bundles/tagging-model.js';
import { findPhi } from '../../institution/deidentify/recognisers/find-phi.js';
import {
  requireReadable,
  type SecondReader,
} from '../../institution/release/suspects/second-reader.js';
import { READER_THRESHOLD } from '../entity-terms.js';

/** The second reader of an encoding whose findings were replaced. */
export interface AuditReader {
  /** Directory of its pipeline bundle. */
  readonly reader?: string;
  /** As `SecondReading.threshold`, by default that of `encode`. */
  readonly readerThreshold?: number;
}

/** Reads as it read then; undefined where none is named. Throws as `openTaggingModel` and `requireReadable`. */
export async function openAuditReader(
  { reader, readerThreshold: threshold = READER_THRESHOLD }: AuditReader,
  { scheme }: Pick<EncodingModel, 'scheme'>,
  { embeddings, ...trust }: Trust & { readonly embeddings: Embeddings },
  signal: AbortSignal,
): Promise<SecondReader | undefined> {
  if (reader === undefined) return undefined;
  const tagger = await openTaggingModel(reader, { ...trust, embeddings });
  requireReadable(tagger.scheme.types, scheme);
  return {
    treatment: 'replace',
    find: (text, sentences) => findPhi(text, tagger, { threshold, sentences, signal }),
  };
}
