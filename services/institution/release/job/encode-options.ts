import type { InventoryFile } from '../../../../models/surrogates/inventory.js';
import type { Progress } from '../../../../platform/progress.js';
import type { EntityTreatment } from '../../../../proto/entity-treatment.js';
import type { EncodingThreads } from '../encoding/encoding-threads.js';
import type { SecondReader } from '../suspects/second-reader.js';
import type { Certification } from './certified-job.js';

/** How notes are encoded. */
export interface EncodeOptions {
  /** How often one sentence may be released, under whatever models; averaging k releases takes noise off by √k. */
  readonly maxReleases?: number | undefined;
  /**
   * Whether labelled entities are replaced before anything else looks at the text, as by default, or kept
   * as in the paper.
   */
  readonly entities?: EntityTreatment | undefined;
  /**
   * Types whose entities are kept where the others are replaced, of those that the label scheme says
   * describe; none by default. They stand under the limit of `certification`, which they need.
   */
  readonly keptTypes?: readonly string[] | undefined;
  /** What replaces them; the model's own by default. */
  readonly inventory?: InventoryFile | undefined;
  /** SHA-256 in hex of the only inventory that may be. */
  readonly inventoryDigest?: string | undefined;
  /**
   * How often each note leaves, each time with other entities drawn, which tells nothing of those that were
   * labelled; the text around them is released so often, and counts against `maxReleases`.
   */
  readonly copies?: number | undefined;
  /** Says of files in which no note has a labelled entity that their notes hold no PHI; they are refused without it. */
  readonly withoutPhi?: boolean | undefined;
  /** Reads notes once more for what their annotators missed. */
  readonly reader?: SecondReader | undefined;
  /** How many sentences may be released that are alike but for their replaced entities. */
  readonly maxAlike?: number | undefined;
  /**
   * Of how many documents of the job the labels of all that leaves are, at least: sentences whose labels are rarer are
   * cut once they are encoded.
   */
  readonly labelDocuments?: number | undefined;
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
