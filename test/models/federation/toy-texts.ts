import { embeddingsFromRows } from '../../../models/embeddings/embeddings.js';
import { Vocabulary } from '../../../models/embeddings/vocabulary.js';
import { LocalTraining } from '../../../models/federation/local-training.js';
import { FESTAG_DEFAULTS, FestagTagger } from '../../../models/networks/festag-tagger.js';
import type { LabelledText } from '../../../models/networks/text-network.js';
import { Random } from '../../../models/tensor/random.js';
import { tokenise } from '../../../models/text/tokeniser.js';

const NAMES = ['berta', 'carla', 'david', 'emil', 'frida', 'gustav'];
const WORDS = ['patient', 'seen', 'fever', 'pain', 'cough', 'liver', 'biopsy', 'tablet'];

/** Word vectors in which names lie apart from other words. */
export function toyVocabulary(): Vocabulary {
  const words = [...NAMES, ...WORDS];
  const random = new Random(4);
  const rows = words.flatMap((_, row) =>
    Array.from(
      random.normals(4),
      (z, k) => 0.3 * z + (k === 0 ? (row < NAMES.length ? 1 : -1) : 0),
    ),
  );
  return new Vocabulary(embeddingsFromRows(words, Float32Array.from(rows)));
}

/** Texts of one sentence, whose names are labelled. */
export function toyTexts(count: number, seed: number): LabelledText[] {
  const random = new Random(seed);
  const pick = (words: readonly string[]) => words[random.integer(words.length)] as string;
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: 6 }, () =>
      random.uniform() < 0.3 ? pick(NAMES) : pick(WORDS),
    );
    const labels = Uint8Array.from(words, (word, t) =>
      NAMES.includes(word) ? (t > 0 && NAMES.includes(words[t - 1] as string) ? 2 : 1) : 0,
    );
    return [{ documentIndex: 0, tokens: tokenise(words.join(' ')), labels }];
  });
}

/** A tiny tagger over texts; those of one vocabulary start alike. */
export function toyTraining(
  texts: readonly LabelledText[],
  { learningRate = 0.3, dropout = 0 } = {},
): LocalTraining {
  const sizes = { dimension: 4, labels: 3, characterUnits: 3, units: 4, hidden: 4, dropout };
  const network = new FestagTagger(
    { ...FESTAG_DEFAULTS, ...sizes },
    toyVocabulary(),
    new Random(1),
  );
  const optimiser = { kind: 'sgd', learningRate } as const;
  return new LocalTraining(
    network,
    texts.map((text) => network.read(text)),
    { optimiser, loss: 'mean' },
  );
}
