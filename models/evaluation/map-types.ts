import type { Document } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownTypes } from '../text/label-scheme.js';

/**
 * The document with the types of `scheme`; spans that are not PHI in it are left out.
 *
 * @throws TacetError `label-unknown` with every type of the document that the scheme does not know.
 */
export function mapTypes(document: Document, scheme: LabelScheme): Document {
  const { text } = document;
  requireKnownTypes(document.spans, scheme, ({ start, end }) => text.slice(start, end));
  const spans = document.spans.flatMap((span) => {
    const type = mapType(span.type, scheme);
    return type === null ? [] : [{ ...span, type }];
  });
  return { ...document, spans };
}
