import * as fc from 'fast-check';
import { type ElementType, encodeElements } from '../../proto/element.js';
import type { EncodedSentence } from '../../proto/encoded-sentence.js';
import type { SegmentShape } from '../../proto/segment-header.js';

export const shape: SegmentShape = {
  entities: 'kept',
  modelDigest: 'ab'.repeat(32),
  labelSchemeDigest: 'cd'.repeat(32),
  dimension: 3,
  elementType: 'float16',
  labelCount: 5,
};

/** A sentence of `tokens` tokens whose values follow from `seed` alone. */
export function sentenceOf(
  tokens: number,
  seed: number,
  of: SegmentShape = shape,
): EncodedSentence {
  const values = Float32Array.from({ length: tokens * of.dimension }, (_, i) => scattered(seed, i));
  return {
    vectors: encodeElements(values, of.elementType),
    labels: Uint8Array.from({ length: tokens }, (_, i) => (i * seed) % of.labelCount),
  };
}

/** From 0 to 1, another one for each place of each sentence, as noise would have it. */
function scattered(seed: number, place: number): number {
  const value = Math.sin(seed * 12.9898 + place * 78.233) * 43_758.5453;
  return value - Math.floor(value);
}

const anyTreatment: fc.Arbitrary<Pick<SegmentShape, 'entities' | 'keptTypes'>> = fc.oneof(
  fc.constantFrom({ entities: 'replaced' as const }, { entities: 'kept' as const }),
  fc
    .uniqueArray(fc.stringMatching(/^[A-Za-z0-9_:.-]{1,64}$/), { minLength: 1, maxLength: 5 })
    .map((types) => ({ entities: 'replaced' as const, keptTypes: types.sort() })),
);

export const anyShape: fc.Arbitrary<SegmentShape> = fc
  .record({
    modelDigest: fc.constant(shape.modelDigest),
    labelSchemeDigest: fc.constant(shape.labelSchemeDigest),
    dimension: fc.integer({ min: 1, max: 20 }),
    elementType: fc.constantFrom<ElementType>('float16', 'float32'),
    labelCount: fc.integer({ min: 1, max: 256 }),
  })
  .chain((of) => anyTreatment.map((treatment) => ({ ...of, ...treatment })));

/** A shape and sentences that fit it. */
export const anySentences = anyShape.chain((of) =>
  fc.record({
    shape: fc.constant(of),
    sentences: fc.array(
      fc
        .record({ tokens: fc.integer({ min: 1, max: 40 }), seed: fc.nat(1000) })
        .map(({ tokens, seed }) => sentenceOf(tokens, seed, of)),
      { maxLength: 20 },
    ),
  }),
);

/** `bytes` as a stream of chunks of at most `size` bytes. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}
