import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import { tacet } from '../../proto/messages.js';
import { END_OF_BLOCKS, frame } from '../../proto/segment-frame.js';
import { encodeFooter, encodeHeader, type SegmentShape } from '../../proto/segment-header.js';

const MAGIC = Buffer.from('TACETSG1');

/** A segment of format 1, in one block: with the casing of every token in clear. */
export function segmentOfFirstFormat(
  shape: SegmentShape,
  sentences: readonly EncodedSentence[],
): Uint8Array {
  const block = Buffer.concat(
    sentences.map((sentence) => {
      const casing = sentence.labels.map((_, t) => t % 7);
      return tacet.EncodedSentence.encode({ ...sentence, casing })
        .ldelim()
        .finish();
    }),
  );
  const tokens = sentences.reduce((sum, { labels }) => sum + labels.length, 0);
  const footer = encodeFooter({
    sentenceCount: sentences.length,
    blockBytes: [block.length],
    blockTokens: [tokens],
  });
  const footerLength = Buffer.alloc(4);
  footerLength.writeUInt32LE(footer.length);
  return Buffer.concat([
    MAGIC,
    frame(encodeHeader({ ...shape, sentenceCount: sentences.length })),
    frame(block),
    END_OF_BLOCKS,
    frame(footer),
    footerLength,
    MAGIC,
  ]);
}
