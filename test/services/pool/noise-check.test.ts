import { describe, expect, test } from '@jest/globals';
import { examineSegment } from '../../../pool-store/segments/segment-facts.js';
import { squaredNorm } from '../../../proto/element.js';
import type { EncodedSentence } from '../../../proto/encoded-sentence.js';
import { writeSegment } from '../../../proto/segment.js';
import { checkNoise, normBounds } from '../../../services/pool/noise-check.js';
import { inChunks } from '../../proto/encoded-sentences.js';
import { OUTPUT_NOISE, RELEASE_SHAPE, releases } from './releases.js';

async function check(sentences: readonly EncodedSentence[]): Promise<void> {
  const bytes = writeSegment(RELEASE_SHAPE, sentences);
  const facts = await examineSegment(inChunks(bytes, 65_536));
  checkNoise({ ...facts, digest: 'x', sentences: facts.sentenceCount }, OUTPUT_NOISE);
}

const refused = expect.objectContaining({ code: 'contribution-invalid' });

describe('the check of the noise', () => {
  test('lets releases of the model pass', async () => {
    await check([...releases(1, 40)]);
  });

  test.each([
    ['without noise', 0],
    ['with half the noise', 0.5],
    ['with a tenth too little', 0.9],
    ['with a tenth too much', 1.1],
  ])('refuses vectors %s', async (_, scale) => {
    await expect(check([...releases(2, 30, scale)])).rejects.toEqual(refused);
  });

  test('finds one sentence without noise among forty', async () => {
    const bare = [...releases(3, 10, 0)].find(({ labels }) => labels.length > 10);
    const sentences = [...releases(4, 40)];
    if (bare) sentences[20] = bare;
    await expect(check(sentences)).rejects.toEqual(refused);
  });

  test('gives a false alarm no more often than it says', () => {
    const probability = 0.05;
    let outside = 0;
    let total = 0;
    for (const { vectors, labels } of releases(5, 60)) {
      const { least, most } = normBounds(OUTPUT_NOISE, labels.length, probability);
      const norm = meanSquare(vectors, labels.length);
      outside += Number(norm < least || norm > most);
      total++;
    }
    expect(outside / total).toBeLessThan(probability);
  });
});

function meanSquare(vectors: Uint8Array, tokens: number): number {
  const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
  return squaredNorm(view, RELEASE_SHAPE.elementType, 0, vectors.length) / tokens;
}
