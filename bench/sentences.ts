import { embeddingsFromRows } from '../models/embeddings/embeddings.js';
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { generateNotes } from '../models/synthetic/generate-notes.js';
import { Random } from '../models/tensor/random.js';
import { readCorpus } from '../models/text/corpus/read-corpus.js';
import type { Document } from '../models/text/document.js';
import { loadLabelScheme } from '../models/text/label-scheme.js';
import { tokenise } from '../models/text/tokeniser.js';
import { type TextExample, textExamples } from '../models/training/data/examples.js';
import type { BenchOptions } from './measurement.js';
import { DIMENSION } from './network.js';

const SEED = 1;
const SCHEMES = { corpus: 'phi-binary', invented: 'hipaa-binary' };

/** Sentences, and random vectors for their words: speed does not depend on what the vectors say. */
export interface BenchSentences {
  readonly vocabulary: Vocabulary;
  readonly examples: TextExample[];
  /** What they are of, for the name of a result. */
  readonly source: string;
}

/** Of the first `documents` notes of a corpus where the options name one, else of invented ones. */
export async function benchSentences(
  { corpus }: BenchOptions,
  documents: number,
): Promise<BenchSentences> {
  if (corpus === undefined) return { ...inventedSentences(documents), source: 'invented' };
  const notes = await firstDocuments(corpus, documents);
  return { ...sentencesOf(notes, SCHEMES.corpus), source: 'of the corpus' };
}

export function inventedSentences(documents: number): Omit<BenchSentences, 'source'> {
  return sentencesOf([...generateNotes({ seed: SEED, documents })], SCHEMES.invented);
}

export async function firstDocuments(
  corpus: string,
  most = Number.POSITIVE_INFINITY,
): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const document of readCorpus(corpus)) {
    documents.push(document);
    if (documents.length >= most) break;
  }
  return documents;
}

function sentencesOf(notes: readonly Document[], scheme: string): Omit<BenchSentences, 'source'> {
  const words = notes.flatMap(({ text }) => tokenise(text).map((token) => token.text));
  const distinct = [...new Set(words.map((word) => word.toLowerCase()))];
  const matrix = new Random(SEED).normals(distinct.length * DIMENSION);
  const vocabulary = new Vocabulary(embeddingsFromRows(distinct, matrix));
  return { vocabulary, examples: textExamples(notes, loadLabelScheme(scheme), vocabulary) };
}
