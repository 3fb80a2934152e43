import type { Inventory } from '../../../../models/surrogates/inventory.js';
import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import type { SecondReader } from '../suspects/second-reader.js';
import type { EncodeOptions } from './encode-options.js';
import type { JobBounds } from './job-bounds.js';
import type { KeptTypes } from './kept-types.js';
import type { StatedBounds } from './release-bounds.js';

const DEFAULT_MAX_RELEASES = 1;
const DEFAULT_MIN_DOCUMENTS = 1;
/** Form-like lines are alike in every note, and as many of them teach a de-identifier nothing more. */
const DEFAULT_MAX_ALIKE = 100;
/** Where entities are replaced; where they are kept, as in the paper, sentences leave whole. */
const DEFAULT_LABEL_DOCUMENTS = 10;
/** Part of a second: what a kill costs, how long another process waits, and all for the last one. */
const DEFAULT_SEGMENT_BYTES = 4 * 1024 * 1024;

/** What one job keeps to, with all that was left to a default. */
export interface EncodingJob
  extends Pick<
    EncodeOptions,
    'mostSentences' | 'certification' | 'reader' | 'dryRun' | 'threads' | 'signal' | 'progress'
  > {
  readonly maxReleases: number;
  readonly minDocuments: number;
  /** Infinite where entities are kept, which are then no longer left out of what is alike. */
  readonly maxAlike: number;
  /** 1 where sentences leave whole. */
  readonly labelDocuments: number;
  /** 1 where entities are kept. */
  readonly copies: number;
  readonly segmentBytes: number;
  /** What replaces entities; undefined where they are kept. */
  readonly inventory: Inventory | undefined;
  /** Of what is not replaced although the rest is. */
  readonly keptTypes: KeptTypes;
  readonly stated: StatedBounds;
  readonly bounds: JobBounds;
  /** Directory of the map from releases to sentences; none is kept without it. */
  readonly mapIn: string | undefined;
}

/** What a job states of itself, for the ledger to hold later ones to; `keptTypes` where others are replaced. */
export function statedBounds(
  options: Pick<
    EncodeOptions,
    'certification' | 'maxReleases' | 'copies' | 'minDocuments' | 'maxAlike' | 'labelDocuments'
  > & { readonly reader?: Pick<SecondReader, 'treatment'> | undefined },
  entities: EntityTreatment,
  keptTypes: readonly string[],
): StatedBounds {
  const { certification, maxReleases, copies = 1, minDocuments, maxAlike } = options;
  const isReplaced = entities === 'replaced';
  const labelDocuments = isReplaced ? DEFAULT_LABEL_DOCUMENTS : undefined;
  return {
    certifiedLimit: certification?.limit,
    neighbours: certification?.neighbours,
    maxReleases: maxReleases ?? (copies > 1 ? copies : undefined),
    minDocuments,
    maxAlike: isReplaced ? (maxAlike ?? DEFAULT_MAX_ALIKE) : undefined,
    labelDocuments: options.labelDocuments ?? labelDocuments,
    entities,
    keptTypes: isReplaced ? keptTypes : undefined,
    suspects: options.reader?.treatment,
  };
}

/**
 * The job that is done in `home` under `stated`. Property by property, so that all jobs are of one shape: what V8
 * compiled for the last one serves the next.
 */
export function encodingJob(
  home: string,
  options: EncodeOptions,
  made: Pick<EncodingJob, 'inventory' | 'keptTypes' | 'stated' | 'bounds'>,
): EncodingJob {
  const { inventory, keptTypes, stated, bounds } = made;
  return {
    inventory,
    keptTypes,
    stated,
    bounds,
    maxAlike: stated.maxAlike ?? Number.POSITIVE_INFINITY,
    labelDocuments: stated.labelDocuments ?? 1,
    maxReleases: stated.maxReleases ?? DEFAULT_MAX_RELEASES,
    copies: options.copies ?? 1,
    minDocuments: options.minDocuments ?? DEFAULT_MIN_DOCUMENTS,
    segmentBytes: options.segmentBytes ?? DEFAULT_SEGMENT_BYTES,
    mapIn: options.keepMap ? home : undefined,
    mostSentences: options.mostSentences,
    certification: options.certification,
    reader: options.reader,
    dryRun: options.dryRun,
    threads: options.threads,
    signal: options.signal,
    progress: options.progress,
  };
}
