import type { ReadCorpusOptions } from '../../../../models/text/corpus/read-corpus.js';
import { readKnownCorpus } from '../../../../models/text/corpus/read-known-corpus.js';
import type { Document } from '../../../../models/text/document.js';
import { type LabelScheme, requireKnownSpans } from '../../../../models/text/label-scheme.js';
import type { SecondReader } from '../suspects/second-reader.js';
import { chunksOf, type NoteChunk } from './note-chunks.js';
import { type Replacement, Replacer } from './replacer.js';

/** Notes at hand, or notes that can be read again and again. */
export type DocumentSource = readonly Document[] | (() => AsyncIterable<Document>) | CorpusSource;

/** A file or directory of a corpus, every document of it with annotations. */
export interface CorpusSource {
  readonly corpus: string;
  /** Leaves out documents that cannot be read. */
  readonly skipBad?: boolean | undefined;
}

/** What was read, and how many documents could not be, or are inexact, since the last time. */
export interface ReadChunk extends NoteChunk {
  readonly bad: number;
  /** Documents whose file parts their sentences, or names entities without their places. */
  readonly inexact: number;
}

/** Throws what reading throws, `label-unknown` and, with a replacement, `inventory-missing`. */
export async function* readChunks(
  source: DocumentSource,
  scheme: LabelScheme,
  replacement?: Replacement,
  reader?: SecondReader,
): AsyncGenerator<ReadChunk, void> {
  let [bad, inexact] = [0, 0];
  const told = { onBad: () => bad++, onInexact: () => inexact++ };
  const documents = documentsOf(source, scheme, told);
  const replacing = replacement && { replacer: new Replacer(replacement), reader };
  for await (const chunk of chunksOf(documents, scheme, replacing)) {
    yield { ...chunk, bad, inexact };
    [bad, inexact] = [0, 0];
  }
  if (bad > 0) yield { ...NOTHING, bad, inexact };
}

function documentsOf(
  source: DocumentSource,
  scheme: LabelScheme,
  told: Pick<ReadCorpusOptions, 'onBad' | 'onInexact'>,
): AsyncIterable<Document> | Iterable<Document> {
  if (typeof source === 'function') return source();
  if (!('corpus' in source)) return knownDocuments(source, scheme);
  const { corpus, skipBad } = source;
  return readKnownCorpus(corpus, scheme, { requireAnnotations: true, skipBad, ...told });
}

/** Each is told by its number, from 0, as whoever sent them is told of other faults. */
function* knownDocuments(documents: readonly Document[], scheme: LabelScheme): Generator<Document> {
  for (const [index, document] of documents.entries()) {
    requireKnownSpans(document, scheme, `document ${index}`);
    yield document;
  }
}

const NOTHING: NoteChunk = {
  documents: new Int32Array(0),
  names: new Uint8Array(0),
  draws: new Uint8Array(0),
  places: new Int32Array(0),
  replaced: 0,
  kept: 0,
  asText: {},
  suspected: new Uint8Array(0),
  suspects: new Int32Array(0),
  restarts: false,
  spellings: [],
  lengths: new Int32Array(0),
  words: new Int32Array(0),
  labels: new Uint8Array(0),
};
