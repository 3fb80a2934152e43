import { findCandidates } from '../models/embeddings/candidates.js';
import { openEmbeddings } from '../models/embeddings/open.js';
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { loadLabelScheme } from '../models/text/label-scheme.js';
import { type TextExample, textExamples } from '../models/training/data/examples.js';
import { phiWords } from '../models/training/recipes.js';
import type { ThreePhaseData } from '../models/training/three-phase-data.js';
import type { BenchOptions } from './measurement.js';
import { LABELS } from './network.js';
import { firstDocuments, inventedSentences } from './sentences.js';

const SYNTHETIC_DOCUMENTS = 120;
/** N: the paper's smaller number on a corpus, fewer on invented notes, whose matrix is small. */
const CANDIDATES = { corpus: 100, synthetic: 20 };

/** What three-phase training learns from: a corpus with its embeddings, or invented notes. */
export async function epochData({
  corpus,
  embeddings = 'wink',
  scheme = 'meddocan',
  documents,
}: BenchOptions): Promise<ThreePhaseData> {
  if (corpus === undefined) {
    const { vocabulary, examples } = inventedSentences(documents ?? SYNTHETIC_DOCUMENTS);
    return dataOf(vocabulary, examples, LABELS, CANDIDATES.synthetic);
  }
  const vocabulary = new Vocabulary(await openEmbeddings(embeddings));
  const read = await firstDocuments(corpus, documents);
  const labels = loadLabelScheme(scheme);
  const examples = textExamples(read, labels, vocabulary);
  return dataOf(vocabulary, examples, labels.labels.length, CANDIDATES.corpus);
}

/** A tenth of the sentences validates. */
async function dataOf(
  vocabulary: Vocabulary,
  examples: readonly TextExample[],
  labels: number,
  neighbours: number,
): Promise<ThreePhaseData> {
  const held = Math.floor(examples.length / 10);
  const [validation, train] = [examples.slice(0, held), examples.slice(held)];
  const candidates = await findCandidates(vocabulary, phiWords(train, validation), neighbours);
  return { train, validation, vocabulary, candidates, labels };
}
