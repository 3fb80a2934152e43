import path from 'node:path';
import { openEmbeddings } from '../../../models/embeddings/open.js';
import { placedDocuments } from '../../../models/text/corpus/read-corpus.js';
import type { Document } from '../../../models/text/document.js';
import { type LabelScheme, loadLabelScheme } from '../../../models/text/label-scheme.js';
import { SchemeMapping } from '../../../models/text/scheme-mapping.js';
import { TacetError } from '../../../proto/errors.js';
import type { Material } from '../../../study/runs/subject.js';
import type { Context } from '../context.js';

/** Where training notes, word vectors and labels are. */
export interface NotesOptions {
  readonly corpus: string;
  readonly embeddings: string;
  readonly scheme: string;
  /** BCP 47. */
  readonly language?: string;
}

/** Where notes to measure on are, besides, and how many of them to use. */
export interface MaterialOptions extends NotesOptions {
  readonly heldOut: string;
  readonly documents?: number;
}

/** What is trained on. */
export async function readNotes(
  { corpus, language, embeddings, scheme }: NotesOptions,
  { signal, progress }: Pick<Context, 'signal' | 'progress'>,
): Promise<Omit<Material, 'heldOut'>> {
  const labels = loadLabelScheme(scheme);
  // Before the word vectors, which take longer to read.
  const documents = await readLabelled(corpus, labels, signal);
  return {
    scheme: labels,
    embeddings: await openEmbeddings(embeddings, { signal, progress }),
    embeddingsName: path.basename(embeddings),
    corpusName: path.basename(path.resolve(corpus)),
    language,
    documents,
  };
}

/** What is trained on and what is measured on. */
export async function readMaterial(
  options: MaterialOptions,
  context: Pick<Context, 'signal' | 'progress'>,
): Promise<Material> {
  const notes = await readNotes(options, context);
  const all = await readLabelled(options.heldOut, notes.scheme, context.signal);
  const heldOut = all.slice(0, options.documents);
  if (heldOut.length > 0) return { ...notes, heldOut };
  throw new TacetError('corpus-invalid', `${options.heldOut}: there is no note to measure on`);
}

/** Throws `label-unknown` with every type of the corpus that the scheme does not know. */
export async function readLabelled(
  corpus: string,
  scheme: LabelScheme,
  signal: AbortSignal,
): Promise<Document[]> {
  const documents: Document[] = [];
  const notes = placedDocuments(corpus, { requireAnnotations: true, signal });
  const mapping = new SchemeMapping(scheme);
  for await (const { document, origin } of notes) {
    mapping.apply(document, origin);
    documents.push(document);
  }
  mapping.refuseUnmapped(corpus);
  return documents;
}
