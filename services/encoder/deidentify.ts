import { type Tagger, tag } from '../../models/networks/tagger.js';
import type { Document, Span } from '../../models/text/document.js';

/** What becomes of PHI: `[TYPE]`, as many asterisks, or nothing but a span that says where it is. */
export const POLICIES = ['tag', 'mask', 'annotate'] as const;

export type Policy = (typeof POLICIES)[number];

/**
 * The document with the PHI that `tagger` finds replaced by `policy`; the spans are where the
 * replacements stand. The document's own spans are ignored. Under `annotate` the text still holds
 * all PHI: for evaluation and for annotators.
 */
export function deidentify(document: Document, tagger: Tagger, policy: Policy): Document {
  const found = tag(document.text, tagger);
  return { id: document.id, ...replaceSpans(document.text, found, policy) };
}

/** `spans` in order of `start`, not overlapping. */
export function replaceSpans(
  text: string,
  spans: readonly Span[],
  policy: Policy,
): { text: string; spans: Span[] } {
  let replaced = '';
  let from = 0;
  const placed: Span[] = [];
  for (const { type, start, end } of spans) {
    replaced += text.slice(from, start);
    const replacement = replacementOf(text.slice(start, end), type, policy);
    placed.push({ type, start: replaced.length, end: replaced.length + replacement.length });
    replaced += replacement;
    from = end;
  }
  return { text: replaced + text.slice(from), spans: placed };
}

function replacementOf(phi: string, type: string, policy: Policy): string {
  if (policy === 'annotate') return phi;
  return policy === 'tag' ? `[${type}]` : '*'.repeat(phi.length);
}
