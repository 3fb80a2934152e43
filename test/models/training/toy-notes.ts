import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { Random } from '../../../models/tensor/random.js';
import type { TextExample } from '../../../models/training/data/examples.js';

export const DIMENSION = 8;
export const LABELS = 3;

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'];
const WORDS = ['patient', 'seen', 'fever', 'pain', 'cough', 'liver', 'biopsy', 'tablet'];

/** Word vectors in which names lie near names and other words near each other. */
export function toyVocabulary(seed = 1): Vocabulary {
  const random = new Random(seed);
  const words = [...NAMES, ...WORDS];
  const matrix = new Float32Array(words.length * DIMENSION);
  words.forEach((_, row) => {
    const centre = row < NAMES.length ? 1 : -1;
    random.normals(DIMENSION).forEach((z, k) => {
      matrix[row * DIMENSION + k] = (k < 2 ? centre : 0) + 0.3 * z;
    });
  });
  return new Vocabulary(embeddingsFromRows(words, matrix));
}

/** Sentences of 1 to 9 words, most with one or two names; a name is labelled B, one after it I. */
export function toyExamples(vocabulary: Vocabulary, count: number, seed: number): TextExample[] {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.integer(words.length)];
  return Array.from({ length: count }, (_, index) => {
    const length = 1 + random.integer(9);
    const ids = new Int32Array(length);
    const labels = new Uint8Array(length);
    for (let t = 0; t < length; t++) {
      const name = random.uniform() < 0.3;
      ids[t] = vocabulary.idOf(name ? pick(NAMES) : pick(WORDS));
      labels[t] = name ? (t > 0 && labels[t - 1] > 0 ? 2 : 1) : 0;
    }
    return { ids, labels, documentIndex: index >> 2 };
  });
}
