import type { Document } from '../document.js';
import { type LabelScheme, requireKnownSpans } from '../label-scheme.js';
import { placedDocuments, type ReadCorpusOptions } from './read-corpus.js';

/**
 * As `readCorpus`, and throws `label-unknown` with the place of a document that has types which the scheme neither has
 * nor maps; such a one is no bad document, since other notes of the corpus have those types, too.
 */
export async function* readKnownCorpus(
  path: string,
  scheme: LabelScheme,
  options?: ReadCorpusOptions,
): AsyncGenerator<Document> {
  for await (const { document, origin } of placedDocuments(path, options)) {
    requireKnownSpans(document, scheme, origin);
    yield document;
  }
}
