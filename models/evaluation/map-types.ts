import type { Document } from '../text/document.js';
import { type LabelScheme, mapType, requireKnownSpans } from '../text/label-scheme.js';

/**
 * The document with the types of `scheme`; spans that are not PHI in it are left out.
 *
 * @throws TacetError `label-unknown` with every type of the document that the scheme does not know.
 */
export function mapTypes(document: Document, scheme: LabelScheme): Document {
  requireKnownSpans(document, scheme);
  const spans = document.spans.flatMap((span) => {
    const type = mapType(span.type, scheme);
    return type === null ? [] : [{ ...span, type }];
  });
  return { ...document, spans };
}
