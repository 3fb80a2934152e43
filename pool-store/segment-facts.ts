import { squaredNorm } from '../proto/element.js';
import { readSegmentStream } from '../proto/segment.js';
import type { SegmentHeader } from '../proto/segment-header.js';

/** What the bytes of a segment show, read from its first to its last. */
export interface SegmentFacts extends SegmentHeader {
  readonly tokens: number;
  readonly bytes: number;
  /** Mean of ‖r‖² over all tokens: near 1 + Σσ² for a release with output noise σ. */
  readonly meanSquareNorm: number;
}

/** Reads a whole segment strictly, in bounded memory. Throws `segment-invalid`. */
export async function examineSegment(chunks: AsyncIterable<Uint8Array>): Promise<SegmentFacts> {
  const { header, sentences } = await readSegmentStream(chunks);
  const reading = sentences();
  let sum = 0;
  let next = await reading.next();
  for (; !next.done; next = await reading.next()) {
    sum += squaredNorm(next.value.vectors, header.elementType);
  }
  const { bytes, tokens } = next.value;
  return { ...header, bytes, tokens, meanSquareNorm: tokens === 0 ? 0 : sum / tokens };
}
