import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embeddings } from '../models/embeddings/embeddings.js';
import { openEmbeddings } from '../models/embeddings/open.js';
import { Vocabulary } from '../models/embeddings/vocabulary.js';
import { generateNotes } from '../models/synthetic/generate-notes.js';
import { readCorpus } from '../models/text/corpus/read-corpus.js';
import type { Document } from '../models/text/document.js';
import { loadLabelScheme } from '../models/text/label-scheme.js';
import { sentencesOf } from '../models/text/labelled-sentence.js';
import { splitSentences } from '../models/text/sentence-splitter.js';
import { tokenise } from '../models/text/tokeniser.js';
import { type Measurement, measure, type Subject } from './measurement.js';

const DATA =
  process.env.TACET_DATA || fileURLToPath(new URL('../../../shared/data', import.meta.url));
const CORPUS = join(DATA, 'meddocan/background');
const EMBEDDINGS = join(DATA, 'embeddings/es.bin');
/** A run is a fraction of a second, so that there can be many. */
const MAX_BYTES = 2_000_000;
const SYNTHETIC_NOTES = 800;

/**
 * Text to labelled, embedded sentences on one thread, in bytes of UTF-8: on MEDDOCAN's background
 * set where the data folder holds it, else on made-up notes. With a new vocabulary every word outside
 * the matrix is summed from its subwords once; with a known one it is looked up.
 */
export async function* textBench(): AsyncGenerator<Measurement> {
  const real = existsSync(CORPUS);
  const documents = real ? await firstDocuments() : [...generateNotes(NOTES)];
  const bytes = sizeOf(documents);
  const subject = (name: string, run: () => void): Subject => ({
    name: `${name}, ${real ? 'background' : 'synthetic'}`,
    threads: 1,
    work: bytes / 1e3,
    unit: 'kB/s',
    run,
  });
  const subjects = [
    subject('tokens', () => documents.forEach(({ text }) => void tokenise(text))),
    subject('sentences', () =>
      documents.forEach(({ text }) => void splitSentences(text, tokenise(text))),
    ),
    subject('labelled', () => void embed(documents)),
  ];
  if (existsSync(EMBEDDINGS)) {
    const embeddings = await openEmbeddings(EMBEDDINGS);
    const known = new Vocabulary(embeddings);
    subjects.push(
      subject('embedded, new vocabulary', () => embedAnew(documents, embeddings)),
      subject('embedded, known vocabulary', () => void embed(documents, known)),
    );
  }
  yield* await measure('text', subjects);
}

const NOTES = { seed: 1, documents: SYNTHETIC_NOTES };
const SCHEME = loadLabelScheme('phi-binary');

async function firstDocuments(): Promise<Document[]> {
  const documents: Document[] = [];
  let bytes = 0;
  for await (const document of readCorpus(CORPUS)) {
    if (bytes > MAX_BYTES) break;
    documents.push(document);
    bytes += sizeOf([document]);
  }
  return documents;
}

function sizeOf(documents: readonly Document[]): number {
  return documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

function embedAnew(documents: readonly Document[], embeddings: Embeddings): void {
  embed(documents, new Vocabulary(embeddings));
}

/** The sentences of all documents and, with a vocabulary, the ids [T] of each; their tokens' number. */
function embed(documents: readonly Document[], vocabulary?: Vocabulary): number {
  let count = 0;
  documents.forEach((document, index) => {
    for (const { tokens } of sentencesOf(document, SCHEME, index)) {
      const ids = new Int32Array(tokens.length);
      if (vocabulary !== undefined)
        for (let at = 0; at < ids.length; at++)
          ids[at] = vocabulary.idOf((tokens[at] as { text: string }).text);
      count += ids.length;
    }
  });
  return count;
}
