import { TacetError } from '../../proto/errors.js';
import { MAX_SEGMENT_BYTES, type SegmentFormat } from '../../proto/segment-frame.js';
import type { SegmentHeader } from '../../proto/segment-header.js';
import { SegmentParser } from '../../proto/segment-parser.js';
import type { BlockPlaces } from './block-places.js';
import { FAST_SUMS } from './fast-sums.js';
import { type NormRange, SentenceStatistics } from './sentence-statistics.js';

/** What the bytes of a segment show, read from its first to its last. */
export interface SegmentFacts extends SegmentHeader {
  readonly format: SegmentFormat;
  readonly tokens: number;
  readonly bytes: number;
  /** Mean of ‖r‖² over all tokens: near 1 + Σσ² for a release with output noise σ. */
  readonly meanSquareNorm: number;
  readonly norms: readonly NormRange[];
  readonly fingerprints: readonly string[];
  /** Where the vectors of a sample of its sentences lie. */
  readonly probes: readonly number[];
  readonly blocks: BlockPlaces;
}

/**
 * Examines a segment that passes in chunks, strictly and in memory of one block. A fault is thrown
 * at the end alone, so that whoever hashes the same chunks can tell damage from malice first.
 */
export class SegmentExamination {
  readonly #statistics = new SentenceStatistics();
  readonly #parser = new SegmentParser((message) => this.#statistics.add(message), FAST_SUMS);
  #bytes = 0;
  #fault: unknown;

  push(chunk: Uint8Array): void {
    if (this.#fault !== undefined) return;
    try {
      this.#examine(chunk);
    } catch (error) {
      this.#fault = error;
    }
  }

  /** Throws `segment-invalid`. */
  end(): SegmentFacts {
    if (this.#fault !== undefined) throw this.#fault;
    const { bytes, tokens } = this.#parser.end();
    const { header, format } = this.#parser;
    if (!header) throw new TacetError('segment-invalid', 'the segment has no header');
    const { norms, fingerprints, probes } = this.#statistics;
    const meanSquareNorm = this.#statistics.meanSquareNorm(tokens);
    const { blocks } = this.#parser;
    return {
      ...header,
      format,
      bytes,
      tokens,
      meanSquareNorm,
      norms,
      fingerprints,
      probes,
      blocks,
    };
  }

  #examine(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_SEGMENT_BYTES) {
      throw new TacetError('segment-invalid', `the segment exceeds ${MAX_SEGMENT_BYTES} bytes`);
    }
    for (const _ of this.#parser.push(chunk));
  }
}

/** Reads a whole segment. Throws `segment-invalid`. */
export async function examineSegment(chunks: AsyncIterable<Uint8Array>): Promise<SegmentFacts> {
  const examination = new SegmentExamination();
  for await (const chunk of chunks) examination.push(chunk);
  return examination.end();
}
