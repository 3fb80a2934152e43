import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { encodeElements } from '../../proto/element.js';
import { checkSentences, encodeSentence } from '../../proto/encoded-sentence.js';
import { TacetError } from '../../proto/errors.js';
import { tacet } from '../../proto/messages.js';
import {
  readSegment,
  readSegmentStream,
  SegmentBuilder,
  writeSegment,
  writeSegmentStream,
} from '../../proto/segment.js';
import { anySentences, inChunks, sentenceOf, shape } from './encoded-sentences.js';
import { segmentOfFirstFormat } from './first-format.js';

const plain = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const refused = expect.objectContaining({ code: 'segment-invalid' });

function readAll(bytes: Uint8Array) {
  return [...readSegment(bytes).sentences()].map((sentence) => plain(encodeSentence(sentence)));
}

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    return error instanceof TacetError ? error.code : String(error);
  }
}

test('a sentence is the message that protobuf writes, after its length', () => {
  fc.assert(
    fc.property(anySentences, ({ sentences }) => {
      for (const sentence of [...sentences, sentenceOf(0, 1), sentenceOf(700, 1)]) {
        const expected = tacet.EncodedSentence.encode(sentence).ldelim().finish();
        expect(plain(encodeSentence(sentence))).toBe(plain(expected));
      }
    }),
  );
});

describe('a segment', () => {
  test('gives back the sentences that were written, in order', () => {
    fc.assert(
      fc.property(anySentences, ({ shape, sentences }) => {
        const bytes = writeSegment(shape, sentences);
        expect(readSegment(bytes).header).toEqual({ ...shape, sentenceCount: sentences.length });
        expect(readAll(bytes)).toEqual(sentences.map((one) => plain(encodeSentence(one))));
      }),
    );
  });

  test('of format 1 gives its sentences without the casing that it has in clear', () => {
    const sentences = [sentenceOf(4, 1), sentenceOf(700, 2)];
    const bytes = segmentOfFirstFormat(shape, sentences);
    expect(readSegment(bytes).header).toEqual({ ...shape, sentenceCount: 2 });
    expect(readAll(bytes)).toEqual(sentences.map((one) => plain(encodeSentence(one))));
    const claimed = Buffer.from(bytes);
    for (const at of [7, bytes.length - 1]) claimed[at] = '2'.charCodeAt(0);
    expect(() => readAll(claimed)).toThrow(/casing in clear, which format 2 has not/);
  });

  test('reads the same in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(anySentences, fc.integer({ min: 1, max: 999 }), async (given, size) => {
        const bytes = writeSegment(given.shape, given.sentences);
        const stream = await readSegmentStream(inChunks(bytes, size));
        const found: string[] = [];
        for await (const sentence of stream.sentences())
          found.push(plain(encodeSentence(sentence)));
        expect(found).toEqual(readAll(bytes));
      }),
      { numRuns: 40 },
    );
  });

  test('lets go of its chunks, however little of it is read', async () => {
    const bytes = writeSegment(
      shape,
      Array.from({ length: 9000 }, (_, i) => sentenceOf(8, i)),
    );
    let open = 0;
    const opened = () => {
      async function* chunks() {
        open++;
        try {
          yield* inChunks(bytes, 1000);
        } finally {
          open--;
        }
      }
      return readSegmentStream(chunks());
    };
    await (await opened()).close();
    expect(open).toBe(0);
    for await (const _ of (await opened()).sentences()) break;
    expect(open).toBe(0);
  });

  test('is the same bytes whether written at once or as a stream', async () => {
    const sentences = Array.from({ length: 9000 }, (_, i) => sentenceOf(8, i));
    const chunks: Uint8Array[] = [];
    const header = { ...shape, sentenceCount: sentences.length };
    for await (const chunk of writeSegmentStream(header, sentences)) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).equals(writeSegment(shape, sentences))).toBe(true);
  });

  test('with any byte changed is refused', () => {
    const bytes = writeSegment(shape, [sentenceOf(3, 1), sentenceOf(5, 2)]);
    for (let i = 0; i < bytes.length; i++) {
      const changed = Uint8Array.from(bytes);
      changed[i] ^= 1 << (i % 8);
      expect(codeOf(() => readAll(changed))).toBe('segment-invalid');
    }
  });

  test('cut short anywhere or followed by more is refused', () => {
    const bytes = writeSegment(shape, [sentenceOf(3, 1), sentenceOf(5, 2)]);
    for (let length = 0; length < bytes.length; length++) {
      expect(codeOf(() => readAll(bytes.subarray(0, length)))).toBe('segment-invalid');
    }
    expect(codeOf(() => readAll(Buffer.concat([bytes, Buffer.of(0)])))).toBe('segment-invalid');
  });

  test('cut short in a stream is refused at its end', async () => {
    const bytes = writeSegment(shape, [sentenceOf(3, 1)]);
    const stream = await readSegmentStream(inChunks(bytes.subarray(0, -1), 50));
    const drain = async () => {
      for await (const _ of stream.sentences());
    };
    await expect(drain()).rejects.toEqual(refused);
  });

  test('of random bytes is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(codeOf(() => readAll(bytes))).toBe('segment-invalid');
      }),
    );
  });

  test('that announces an enormous block is refused before it arrives', async () => {
    const start = writeSegment(shape, []).subarray(0, 8);
    const bytes = Buffer.concat([start, Buffer.of(0xff, 0xff, 0xff, 0xff)]);
    await expect(readSegmentStream(inChunks(bytes, 5))).rejects.toEqual(refused);
  });

  test('takes no sentence beyond its size', () => {
    const wide = { ...shape, dimension: 1024, elementType: 'float32' as const };
    const sentence = sentenceOf(1024, 1, wide);
    const builder = new SegmentBuilder(wide);
    while (builder.add(sentence));
    expect(builder.sentenceCount).toBe(15);
    expect(Buffer.concat(builder.finish()).length).toBeLessThanOrEqual(64 * 1024 * 1024);
  });
});

describe('a sentence is refused', () => {
  const good = sentenceOf(4, 1);
  const infinite = encodeElements(new Float32Array(12).fill(Number.POSITIVE_INFINITY), 'float16');
  test.each([
    ['of no tokens', sentenceOf(0, 1)],
    ['of more tokens than any', sentenceOf(1025, 1)],
    ['with a label too few', { ...good, labels: good.labels.subarray(1) }],
    ['with a label outside the scheme', { ...good, labels: Uint8Array.of(0, 1, 5, 0) }],
    ['with vectors of another dimension', { ...good, vectors: good.vectors.subarray(2) }],
    ['with a value that is not finite', { ...good, vectors: infinite }],
  ])('%s', (_, sentence) => {
    expect(codeOf(() => writeSegment(shape, [sentence]))).toBe('segment-invalid');
  });

  test('with a field more than its two', () => {
    const message = encodeSentence(good).subarray(1);
    const extended = Buffer.concat([message, Buffer.of(0x22, 3), Buffer.from('Ana')]);
    const block = Buffer.concat([Buffer.of(extended.length), extended]);
    expect(() => checkSentences(block, shape, 2)).toThrow(/goes on for 5 bytes after its labels/);
  });
});
